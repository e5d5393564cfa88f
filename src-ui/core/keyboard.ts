import { computed, signal } from '@preact/signals-core'
import { chordOf, isMac, type KeyPress } from './chord.ts'
import { type Command, commandTableSlice, isAllowed, isReady, type Scope } from './command.ts'
import { dragSlice } from './drag.ts'
import { decision } from './location.ts'
import { type Overlay, overlaysSlice } from './overlay.ts'
import { run } from './run.ts'
import { isSignInAsked } from './session.ts'
import { requiredSlice, slice, type Workspace } from './workspace.ts'

/** What typed letters do in the listing. */
export type LetterKeys = {
  /** Whether a key is a letter that it handles. */
  handles(press: KeyPress): boolean
  /** @returns whether it did something */
  type(letter: string): boolean
}

/** A feature provides it; without one, letters do nothing. */
export const letterKeysSlice = requiredSlice<LetterKeys>('letterKeys', { handles: () => false, type: () => false })

/** The scopes that the shown screen adds to those of the files, innermost first. */
export const screenScopesSlice = slice('screenScopes', () => {
  /** What the shown file asks for by its kind, which is known again after each change of the file. */
  const ofFile = signal<readonly Scope[]>([])
  /** What a screen asks for as long as it is shown, whatever becomes of its file. */
  const ofScreen = signal<readonly Scope[] | undefined>(undefined)
  return { ofFile, ofScreen, current: computed(() => ofScreen.value ?? ofFile.value) }
})

/** What the shown page does with a key that is for no command and no field. @returns whether it did something */
type PageKeys = (event: KeyboardEvent, chord: string) => boolean

/** That of a page with rows, where all keys lead to them that nothing else has. */
export const pageKeysSlice = slice('pageKeys', (): { current: PageKeys } => ({ current: () => false }))

/** How many keys were pressed: what fades for the mouse comes back for the keyboard. */
export const keyPressesSlice = slice('keyPresses', () => ({ count: signal(0) }))

/** The only listener for keys: it looks each chord up in the command table. */
export function listenToKeys(workspace: Workspace, page: Pick<Window, 'addEventListener' | 'removeEventListener'>): void {
  const noteHeldKeys = ({ ctrlKey, altKey }: KeyboardEvent) => {
    const dragState = workspace.use(dragSlice)
    if (dragState.current.value) dragState.heldKeys.value = { ctrlKey, altKey }
  }
  workspace.listen(page, 'keydown', noteHeldKeys)
  workspace.listen(page, 'keyup', noteHeldKeys)
  workspace.listen(page, 'keydown', (event) => handleKey(workspace, event))
}

function handleKey(workspace: Workspace, event: KeyboardEvent): void {
  workspace.use(keyPressesSlice).count.value += 1
  if (event.defaultPrevented || event.isComposing) return
  const isTyped = isTyping(event.target)
  const chord = chordOf(event, isMac(), isTyped)
  if (isTyped && belongsToField(chord)) return
  const scopes = activeScopes(workspace)
  if (event.repeat && isDoneOnce(workspace, chord, scopes)) {
    event.preventDefault()
    return
  }
  const command = commandFor(workspace, chord, scopes)
  const letters = workspace.use(letterKeysSlice)
  if (scopes.includes('listing') && letters.handles(event) && (!command || event.key === ' ')) {
    if (!isTyped && letters.type(event.key)) event.preventDefault()
    return
  }
  if (!command) {
    const isPages = !isTyped && scopes.includes('everywhere') && workspace.use(pageKeysSlice).current(event, chord)
    if (isPages) event.preventDefault()
    else noteEarly(workspace, event, chord)
    return
  }
  event.preventDefault()
  if (isReady(workspace, command)) void run(workspace, command)
}

/** Notes a key whose command comes with the later part. */
function noteEarly(workspace: Workspace, event: KeyboardEvent, chord: string): void {
  const { commands, early } = workspace.use(commandTableSlice)
  if (!/^Mod\+(Y|(Shift\+)?Z)$/.test(chord) || !activeScopes(workspace).includes('listing')) return
  if (commands.some(({ keys }) => keys?.includes(chord))) return
  event.preventDefault()
  early.push({ chord, at: workspace.now() })
}

/** Whether a chord does something once for each press. A held key then does nothing more, by the browser neither. */
function isDoneOnce(workspace: Workspace, chord: string, scopes: readonly Scope[]): boolean {
  const { commands } = workspace.use(commandTableSlice)
  const bound = scopes.map((scope) =>
    commands.filter((one) => one.scope === scope && one.keys?.includes(chord) && isAllowed(workspace, one)),
  )
  return bound.find((some) => some.length > 0)?.every(({ repeats }) => !repeats) ?? false
}

/** The scopes whose keys count, innermost first: whatever is open hides those below it. */
export function activeScopes(workspace: Workspace, open: Overlay = workspace.use(overlaysSlice).current.value): Scope[] {
  if (isSignInAsked.value) return []
  if (workspace.use(dragSlice).cancel.value) return ['drag']
  if (open.kind !== 'none') return [...focusedScope().filter((scope) => scope === 'picker'), 'overlay']
  const shown = 'show' in decision.value ? decision.value.show : undefined
  if (shown !== 'files') return ['everywhere']
  return [...focusedScope(), ...workspace.use(screenScopesSlice).current.value, 'listing', 'everywhere']
}

const elementScopes: readonly Scope[] = ['columnHeaders', 'path', 'picker']

// An element with keys of its own has the attribute data-scope.
function focusedScope(): Scope[] {
  const part = typeof document === 'undefined' ? null : document.activeElement?.closest<HTMLElement>('[data-scope]')
  return elementScopes.filter((scope) => scope === part?.dataset.scope)
}

/** The command that a chord means: one that is ready before one that is only allowed. */
export function commandFor(
  workspace: Workspace,
  chord: string,
  scopes: readonly Scope[],
  table: readonly Command[] = workspace.use(commandTableSlice).commands,
): Command | undefined {
  for (const scope of scopes) {
    const bound = table.filter((one) => one.scope === scope && one.keys?.includes(chord) && takesKey(workspace, one, chord))
    const found = bound.find((command) => isReady(workspace, command)) ?? bound[0]
    if (found) return found
  }
  return undefined
}

const takesKey = (workspace: Workspace, command: Command, chord: string): boolean =>
  isAllowed(workspace, command) && (command.takesKey?.(workspace, chord) ?? true)

/** Whether Enter with Shift or Ctrl is the page's: on a button or a link outside the list it presses that. */
export function isEnterFree(chord: string): boolean {
  const active = document.activeElement
  return !/Enter$/.test(chord) || !active?.closest('button, a[href], summary, input') || Boolean(active.closest('[data-entry]'))
}

/** Whether a text field handles this key itself. With Alt a Latin letter is typed nowhere: on a Mac the key is another character. */
export function belongsToField(chord: string): boolean {
  if (/^(Escape|F\d+|Alt\+[A-Z])$/.test(chord)) return false
  return !/^Mod\+/.test(chord) || /^Mod\+(Shift\+)?([ACVXZY]|Backspace|Delete|Home|End|Arrow\w+)$/.test(chord)
}

/** Whether an event is for a field in which text is typed or a value chosen. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))
  )
}
