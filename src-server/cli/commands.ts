import type { StateCommand } from '../options/subcommands.ts'
import { backupCommands } from './backup-commands.ts'
import type { Command } from './command.ts'
import { configCommands } from './config-commands.ts'
import { hookCommands } from './hook-commands.ts'
import { keyCommands } from './key-commands.ts'
import { ruleCommands } from './rule-commands.ts'
import { sessionCommands } from './session-commands.ts'
import { shareCommands } from './share-commands.ts'
import { userCommands } from './user-commands.ts'

/** What each row of `options/subcommands.ts` that uses the state does. */
export const commands: Readonly<Record<StateCommand, Command>> = {
  ...userCommands,
  ...sessionCommands,
  ...shareCommands,
  ...ruleCommands,
  ...configCommands,
  ...hookCommands,
  ...keyCommands,
  ...backupCommands,
}
