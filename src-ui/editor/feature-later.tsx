import type { LaterFeature } from '../core/feature.ts'
import { LeavePrompt } from './leave-prompt.tsx'

export const editorLater = { overlays: { leaveEditor: LeavePrompt } } satisfies LaterFeature
