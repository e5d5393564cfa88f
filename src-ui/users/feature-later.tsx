import type { LaterFeature } from '../core/feature.ts'
import { DeleteUserPrompt } from './delete-user-prompt.tsx'

export const usersLater = { overlays: { deleteUser: DeleteUserPrompt } } satisfies LaterFeature
