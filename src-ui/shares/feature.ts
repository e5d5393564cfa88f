import type { Feature } from '../core/feature.ts'
import { shareCommands } from './commands.ts'

export const shareFeature: Feature = { commands: shareCommands }
