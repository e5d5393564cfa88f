import style from 'holdall:part/shares/share-dialog.css'
import type { LaterFeature } from '../core/feature.ts'
import { lazyOverlay } from '../core/lazy-panel.tsx'

export const sharesLater = {
  overlays: { share: lazyOverlay(async () => (await import('./share-dialog.tsx')).ShareDialog, [style]) },
} satisfies LaterFeature
