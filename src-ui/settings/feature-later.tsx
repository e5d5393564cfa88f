import type { LaterFeature } from '../core/feature.ts'
import { LeaveFormPrompt } from './leave-form-prompt.tsx'

export const settingsLater = { overlays: { leaveForm: LeaveFormPrompt } } satisfies LaterFeature
