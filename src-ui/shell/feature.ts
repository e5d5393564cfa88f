import type { Feature } from '../core/feature.ts'
import { shellCommands } from './commands.ts'

export const shellFeature: Feature = { commands: shellCommands }
