// The lines of the palette for a typed text.

import { pageOf } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'
import { type Command, commandTableSlice, fullLabelOf, isAllowed, isReady, type Scope } from '../core/command.ts'
import type { Entry } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { folderText } from '../core/folder-text.ts'
import { chordOf } from '../core/key-names.ts'
import { go } from '../core/location.ts'
import { refusalOf } from '../core/menu-entries.ts'
import { run } from '../core/run.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import type { IconName } from '../ui/icon.tsx'

/** A line of the palette: a command, or a folder to go to. */
export type PaletteLine = {
  id: string
  label: string
  icon?: IconName | undefined
  folder?: Entry | undefined
  /** Where it is. */
  place?: string | undefined
  /** Its first chord, as in the command table. */
  chord?: string | undefined
  /** Why it cannot be chosen now; '' without a reason, undefined when it can. */
  refusal?: string | undefined
  run: () => void
}

/** Lines under a title. */
export type PaletteGroup = { title: string; lines: readonly PaletteLine[] }

/** The maximum number of folders. */
const mostFolders = 20

/**
 * The commands and folders that contain every typed word, in groups; all commands while nothing is typed.
 * @param elsewhere the folders that the server has found
 */
export function paletteGroups(
  workspace: Workspace,
  typed: string,
  scopes: readonly Scope[],
  table: readonly Command[] = workspace.use(commandTableSlice).commands,
  elsewhere: readonly Entry[] = [],
): PaletteGroup[] {
  const entryView = workspace.use(entryViewSlice)
  const offered = table.filter((command) => scopes.includes(command.scope) && !command.keyOnly && isAllowed(workspace, command))
  const isGoing = (command: Command) => command.id.startsWith('go.')
  const isOfSelection = (command: Command) =>
    entryView.selected.value.length > 0 && (command.places?.includes('context') ?? false)
  const lines = (some: Command[]) =>
    bestFirst(
      usefulFirst(workspace, some).map((command) => lineOf(workspace, command)),
      typed,
      ({ label }) => label,
    )
  const groups = [
    { title: titleOfSelection(workspace), lines: lines(offered.filter(isOfSelection)) },
    { title: t('palette.goTo'), lines: [...lines(offered.filter(isGoing)), ...foldersHere(workspace, typed)] },
    { title: t('palette.here'), lines: lines(offered.filter((command) => !isOfSelection(command) && !isGoing(command))) },
    // Last, because they come late: nothing that could be chosen already may move.
    { title: t('palette.folders'), lines: foldersElsewhere(workspace, typed, elsewhere) },
  ]
  return groups.filter((group) => group.lines.length > 0)
}

/** Sorts the commands of this screen before those of all screens, and those that are not ready last. */
function usefulFirst(workspace: Workspace, some: readonly Command[]): Command[] {
  const rank = (command: Command) => (isReady(workspace, command) ? (command.scope === 'everywhere' ? 1 : 0) : 2)
  return some.toSorted((a, b) => rank(a) - rank(b))
}

/** The elements that contain every typed word; those that begin with the first word come first. */
export function bestFirst<T>(all: readonly T[], typed: string, textOf: (one: T) => string): T[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  const found = all.filter((one) => words.every((word) => fold(textOf(one)).includes(word)))
  const begins = (one: T) => words.length > 0 && fold(textOf(one)).startsWith(words[0] ?? '')
  return [...found.filter(begins), ...found.filter((one) => !begins(one))]
}

function lineOf(workspace: Workspace, command: Command): PaletteLine {
  const { id, icon } = command
  const refusal = refusalOf(workspace, command)
  const chord = chordOf(workspace, command)
  const label = command.currentLabel?.(workspace) ?? t(fullLabelOf(command))
  return { id, label, icon, chord, refusal, run: () => void run(workspace, command) }
}

const shownFolders = (workspace: Workspace): readonly Entry[] => {
  const { entries, folders } = workspace.use(entryViewSlice).sortedEntries.value
  return entries.slice(0, folders)
}

function foldersHere(workspace: Workspace, typed: string): PaletteLine[] {
  if (typed.trim() === '') return []
  const folders = shownFolders(workspace).filter((entry) => !entry.unreachable)
  return bestFirst(folders, typed, ({ name }) => name)
    .slice(0, mostFolders)
    .map((folder) => folderLine(folder))
}

/** With the folder that they are in. Names were compared by the server. */
function foldersElsewhere(workspace: Workspace, typed: string, found: readonly Entry[]): PaletteLine[] {
  if (typed.trim() === '') return []
  const shown = new Set(shownFolders(workspace).map(({ path }) => path))
  return found
    .filter(({ path, unreachable }) => !shown.has(path) && !unreachable)
    .map((folder) => folderLine(folder, folderText(folder.path)))
}

function folderLine(folder: Entry, place?: string): PaletteLine {
  const run = () => go(pageOf(folder.path, true).slice(baseURL.length))
  return { id: `folder ${folder.key}`, label: folder.name, folder, place, run }
}

function titleOfSelection(workspace: Workspace): string {
  const entryView = workspace.use(entryViewSlice)
  const [first, ...others] = entryView.selected.value
  if (others.length > 0) return t('palette.forMany', { count: others.length + 1 })
  return t('palette.for', { name: isolate(first?.name ?? '') })
}

// Ignores case and accents.
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
