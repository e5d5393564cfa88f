// pdf.js, for browsers without a viewer of their own: phones. A lazy part of the preview.
import workerAddress from 'holdall:part/preview/pdf-worker.ts'
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy, TextLayer, version } from 'pdfjs-dist'

export type { PDFDocumentProxy } from 'pdfjs-dist'
export { TextLayer }

/** Bytes of one request: only the parts of a document that are looked at are loaded. */
const rangeSize = 256 * 1024

GlobalWorkerOptions.workerSrc = addressOf(workerAddress)

/** Opens a document. @param address of its bytes @returns the document, and what stops loading and frees it */
export function openPdf(address: string): { document: Promise<PDFDocumentProxy>; close: () => void } {
  const task = getDocument({
    url: address,
    rangeChunkSize: rangeSize,
    disableAutoFetch: true,
    disableStream: true,
    // The files that build.ts copies from the package.
    cMapUrl: addressOf(`pdf-${version}/cmaps/`),
    standardFontDataUrl: addressOf(`pdf-${version}/standard_fonts/`),
    wasmUrl: addressOf(`pdf-${version}/wasm/`),
    // The worker's policy permits no requests.
    useWorkerFetch: false,
  })
  return { document: task.promise, close: () => void task.destroy() }
}

function addressOf(relative: string): string {
  return new URL(relative, import.meta.url).href
}
