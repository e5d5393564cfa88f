import type { Command } from '../core/command.ts'
import { close, overlay } from '../core/overlay.ts'
import { type Item, isInItself, parentOf } from '../core/paths.ts'
import { locale } from '../i18n/locale.ts'
import type { Key } from '../i18n/t.ts'
import { destination, lookInto, markEnd, marked, markNext, picker } from './picker.ts'
import { transfer } from './transfer.ts'

/** The keys of the list of folders that one chooses from. */
export const pickerCommands: readonly Command[] = [
  pickerCommand('ArrowDown', 'picker.command.move', () => markNext(1)),
  pickerCommand('ArrowUp', 'picker.command.move', () => markNext(-1)),
  pickerCommand('Home', 'picker.command.move', () => markEnd('first')),
  pickerCommand('End', 'picker.command.move', () => markEnd('last')),
  pickerCommand('ArrowRight', 'picker.command.move', () => (isMirrored() ? goOut() : goIn())),
  pickerCommand('ArrowLeft', 'picker.command.move', () => (isMirrored() ? goIn() : goOut())),
  pickerCommand('Backspace', 'picker.command.move', goOut),
  pickerCommand('Enter', 'picker.command.choose', chooseFolder),
]

/** Why things cannot go to the folder that is chosen; undefined when they can. */
export function refusalOfFolder(): Key | undefined {
  const { value } = overlay
  if (value.kind !== 'move' && value.kind !== 'copy') return undefined
  if (isInItself(value.items, destination.value)) return 'transfer.itself'
  const isHere = value.kind === 'move' && value.items.every(({ path }) => parentOf(path) === destination.value)
  return isHere ? 'transfer.here' : undefined
}

/** Things that are on their way cannot be gone into. */
export const isOnItsWay = (items: readonly Item[], path: string): boolean => items.some((item) => item.path === path)

/** Whether things can go to the folder that is chosen. */
export const mayChoose = (): boolean =>
  picker.value.folders !== undefined && picker.value.problem === undefined && refusalOfFolder() === undefined

/** Goes into the folder that is marked. */
export function goIn(): void {
  const { value } = overlay
  const into = marked.value
  if (!into || ((value.kind === 'move' || value.kind === 'copy') && isOnItsWay(value.items, into.path))) return
  void lookInto(into.path)
}

/** Goes to the folder above, with the one it came from marked. */
export function goOut(): void {
  const { path } = picker.value
  if (path !== '/') void lookInto(parentOf(path), path)
}

/** Moves or copies to the folder that is chosen. */
export async function chooseFolder(): Promise<void> {
  const { value } = overlay
  if ((value.kind !== 'move' && value.kind !== 'copy') || !mayChoose()) return
  const to = destination.value
  close(value.kind)
  await transfer({ action: value.kind, items: value.items, to })
}

function pickerCommand(key: string, label: Key, run: () => void | Promise<void>): Command {
  return { id: `picker.${key}`, label, keys: [key], scope: 'picker', keyOnly: true, run }
}

const isMirrored = () => locale.value.dir === 'rtl'
