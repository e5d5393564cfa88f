import type { Feature } from '../core/feature.ts'
import { uploadCommands } from './commands.ts'
import { uploadsSlice } from './uploads-slice.ts'

export const uploadsFeature: Feature = { commands: uploadCommands, slices: [uploadsSlice] }
