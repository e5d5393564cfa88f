import compareStyle from 'holdall:part/editor/compare.css'
import type { LaterFeature } from '../core/feature.ts'
import { lazyOverlay } from '../core/lazy-panel.tsx'
import { LeavePrompt } from './leave-prompt.tsx'

export const editorLater = {
  overlays: {
    leaveEditor: LeavePrompt,
    compareVersion: lazyOverlay(async () => (await import('./compare-dialog.tsx')).CompareDialog, [compareStyle]),
  },
} satisfies LaterFeature
