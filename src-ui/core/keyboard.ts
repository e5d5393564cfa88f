import { commands } from '../commands.ts'
import { isLetter, jumpByLetter } from '../listing/type-to-jump.ts'
import { chordOf } from './chord.ts'
import { type Command, isAllowed, isReady, type Scope } from './command.ts'
import { cancelDrag, drag, heldKeys } from './drag.ts'
import { decision } from './location.ts'
import { type Overlay, overlay } from './overlay.ts'
import { run } from './run.ts'

/** The only listener for keys: what is pressed is looked up in the command table. */
export function listenToKeys(page: Window): void {
  for (const turn of ['keydown', 'keyup'] as const) page.addEventListener(turn, noteHeldKeys)
  page.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    const chord = chordOf(event)
    if (isTyping(event.target) && belongsToField(chord)) return
    const scopes = activeScopes()
    const command = commandFor(chord, scopes)
    if (scopes.includes('listing') && isLetter(event) && (!command || event.key === ' ')) {
      if (!isTyping(event.target) && jumpByLetter(event.key)) event.preventDefault()
      return
    }
    if (!command) return
    event.preventDefault()
    if (isReady(command)) run(command)
  })
}

function noteHeldKeys({ ctrlKey, altKey }: KeyboardEvent): void {
  if (drag.value) heldKeys.value = { ctrlKey, altKey }
}

/** The scopes whose keys count, innermost first: whatever is open hides those below it. */
export function activeScopes(open: Overlay = overlay.value): Scope[] {
  if (cancelDrag.value) return ['drag']
  if (open.kind !== 'none') return [...focusedScope().filter((scope) => scope === 'picker'), 'overlay']
  const shown = 'show' in decision.value ? decision.value.show : undefined
  return shown === 'files' ? [...focusedScope(), 'listing', 'everywhere'] : ['everywhere']
}

const ownScopes: readonly Scope[] = ['columnHeaders', 'path', 'picker']

// A part of the page whose keys are its own says so where it is drawn.
function focusedScope(): Scope[] {
  const part = typeof document === 'undefined' ? null : document.activeElement?.closest<HTMLElement>('[data-scope]')
  return ownScopes.filter((scope) => scope === part?.dataset.scope)
}

/** The command that a chord means: one that is ready before one that is merely allowed. */
export function commandFor(chord: string, scopes: readonly Scope[], table: readonly Command[] = commands): Command | undefined {
  for (const scope of scopes) {
    const bound = table.filter((command) => command.scope === scope && command.keys?.includes(chord) && takesKey(command))
    const found = bound.find(isReady) ?? bound[0]
    if (found) return found
  }
  return undefined
}

const takesKey = (command: Command): boolean => isAllowed(command) && (command.takesKey?.() ?? true)

/** Does a text field want this key itself? */
export function belongsToField(chord: string): boolean {
  if (/^(Escape|F\d+)$/.test(chord)) return false
  return !/^Mod\+/.test(chord) || /^Mod\+(Shift\+)?([ACVXZY]|Backspace|Delete|Home|End|Arrow\w+)$/.test(chord)
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))
  )
}
