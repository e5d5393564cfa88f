import type { Feature } from '../core/feature.ts'
import { editorCommands } from './commands.ts'

export const editorFeature: Feature = { commands: editorCommands }
