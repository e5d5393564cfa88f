import type { Feature } from '../core/feature.ts'
import { previewCommands } from './commands.ts'
import { previewSlice } from './preview.ts'

export const previewFeature: Feature = { commands: previewCommands, slices: [previewSlice] }
