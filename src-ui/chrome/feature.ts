import type { Feature } from '../core/feature.ts'
import { appCommands } from './commands.ts'

export const appFeature: Feature = { commands: appCommands }
