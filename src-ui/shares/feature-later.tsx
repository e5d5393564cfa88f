import style from 'holdall:part/shares/share-dialog.css'
import type { LaterFeature } from '../core/feature.ts'
import { lazyOverlay } from '../core/lazy-panel.tsx'
import { requestCommand } from './request-command.ts'
import { followArrivals } from './request-news.ts'

export const sharesLater = {
  commands: [requestCommand],
  overlays: {
    share: lazyOverlay(async () => (await import('./share-dialog.tsx')).ShareDialog, [style]),
    requestFiles: lazyOverlay(async () => (await import('./request-dialog.tsx')).RequestDialog, [style]),
  },
  follow: followArrivals,
} satisfies LaterFeature
