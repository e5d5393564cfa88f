import type { Feature } from '../core/feature.ts'
import { operationCommands } from './commands.ts'

export const operationsFeature: Feature = { commands: operationCommands }
