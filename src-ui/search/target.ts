import type { Target } from '../core/command.ts'
import type { Entry } from '../core/entries.ts'
import { parentOf } from '../core/paths.ts'

/** What commands act on for one result. */
export const targetOf = (entry: Entry): Target => ({ items: [entry], folder: parentOf(entry.path) })
