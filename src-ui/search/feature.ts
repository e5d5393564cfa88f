import type { Feature } from '../core/feature.ts'
import { searchCommands } from './commands.ts'

export const searchFeature: Feature = { commands: searchCommands }
