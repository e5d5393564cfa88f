import style from 'holdall:part/preview/viewer.css'
import type { LaterFeature } from '../core/feature.ts'
import { lazyOverlay } from '../core/lazy-panel.tsx'

export const previewLater = {
  overlays: {
    quickLook: lazyOverlay(async () => (await import('./viewer-part.ts')).QuickLook, [style]),
    trashedLook: lazyOverlay(async () => (await import('./viewer-part.ts')).TrashedLook, [style]),
  },
} satisfies LaterFeature
