import type { LaterFeature } from '../core/feature.ts'
import { askImported } from './imported.ts'
import { ImportedPrompt } from './imported-prompt.tsx'
import { LeaveFormPrompt } from './leave-form-prompt.tsx'

export const settingsLater = {
  overlays: { leaveForm: LeaveFormPrompt, imported: ImportedPrompt },
  follow(workspace) {
    if (workspace.user.value && workspace.may('admin')) void askImported(workspace)
  },
} satisfies LaterFeature
