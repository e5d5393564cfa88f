import { browseCommands } from './browse.ts'
import type { Command, Place } from './command.ts'
import { isAllowed } from './command.ts'
import { gridCommands } from './grid.ts'
import { columnHeaderCommands } from './heads.ts'
import { itemCommands } from './items.ts'
import { listingCommands } from './listing.ts'
import { pickerCommands } from './picker.ts'
import { appCommands } from './shell.ts'

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
