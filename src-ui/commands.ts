import { appCommands } from './chrome/commands.ts'
import type { Command, Place } from './core/command.ts'
import { isAllowed } from './core/command.ts'
import { browseCommands } from './listing/browse-commands.ts'
import { columnHeaderCommands } from './listing/column-header-commands.ts'
import { listingCommands } from './listing/commands.ts'
import { gridCommands } from './listing/grid-commands.ts'
import { itemCommands } from './operations/commands.ts'
import { pickerCommands } from './operations/picker-commands.ts'

/** Everything a person can do. */
export const commands: readonly Command[] = [
  ...appCommands,
  ...browseCommands,
  ...listingCommands,
  ...itemCommands,
  ...gridCommands,
  ...columnHeaderCommands,
  ...pickerCommands,
]

/** What one place offers this person now, in the table's order. */
export function offered(place: Place): Command[] {
  return commands.filter((command) => command.places?.includes(place) && isAllowed(command))
}

export function commandById(id: string): Command {
  const found = commands.find((command) => command.id === id)
  if (!found) throw new Error(`no command ${id}`)
  return found
}
