import type { LaterFeature } from '../core/feature.ts'
import { ProofPrompt } from './proof-prompt.tsx'

export const sessionLater = { overlays: { confirmPassword: ProofPrompt } } satisfies LaterFeature
