// The worker of pdf.js, bundled by itself: scripts/bundle-parts.ts.
import 'pdfjs-dist/build/pdf.worker.mjs'
