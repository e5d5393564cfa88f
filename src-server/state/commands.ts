// The changes of the state, by name. A command is pure: given the records and its input, which is plain JSON, it checks its own
// precondition and does the same wherever it runs. What throws has changed nothing.
import { importCommands } from './import-commands.ts'
import { keyCommands } from './key-commands.ts'
import { linkCommands } from './link-commands.ts'
import { requestCommands } from './request-commands.ts'
import { sessionCommands } from './session-commands.ts'
import { settingsCommands } from './settings-commands.ts'
import { userCommands } from './user-commands.ts'

export const commands = {
  ...{ ...userCommands, ...sessionCommands, ...linkCommands, ...requestCommands, ...settingsCommands },
  ...{ ...importCommands, ...keyCommands },
}

export type CommandName = keyof typeof commands
export type InputOf<N extends CommandName> = Parameters<(typeof commands)[N]>[1]
export type ResultOf<N extends CommandName> = ReturnType<(typeof commands)[N]>

/** Commands before which no backup is made: they come all the time, and what they change can be lost. */
const unsaved: ReadonlySet<CommandName> = new Set<CommandName>([
  ...(Object.keys(sessionCommands) as (keyof typeof sessionCommands)[]),
  'changeLinks',
  'seeRequest',
])

export const isBackedUp = (name: CommandName): boolean => !unsaved.has(name)
