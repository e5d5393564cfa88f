import { decision } from '../state/location.ts'
import { overlay } from '../state/overlay.ts'
import { commands } from './all.ts'
import { chordOf } from './chord.ts'
import { type Command, isAllowed, isReady, type Scope } from './command.ts'
import { run } from './run.ts'

/** The only listener for keys: what is pressed is looked up in the command table. */
export function listenToKeys(page: Window): void {
  page.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    const chord = chordOf(event)
    if (isTyping(event.target) && belongsToField(chord)) return
    const command = commandFor(chord, activeScopes())
    if (!command) return
    event.preventDefault()
    if (isReady(command)) run(command)
  })
}

/** The scopes whose keys count, innermost first: whatever is open hides those below it. */
export function activeScopes(): Scope[] {
  if (overlay.value.kind !== 'none') return ['overlay']
  const shown = 'show' in decision.value ? decision.value.show : undefined
  return shown === 'files' ? [...focusedScope(), 'listing', 'everywhere'] : ['everywhere']
}

// A part of the page whose keys are its own says so where it is drawn.
function focusedScope(): Scope[] {
  const part = typeof document === 'undefined' ? null : document.activeElement?.closest<HTMLElement>('[data-scope]')
  return part?.dataset.scope === 'heads' ? ['heads'] : []
}

/** The command that a chord means: one that is ready before one that is merely allowed. */
export function commandFor(chord: string, scopes: readonly Scope[], table: readonly Command[] = commands): Command | undefined {
  for (const scope of scopes) {
    const bound = table.filter((command) => command.scope === scope && command.keys?.includes(chord) && isAllowed(command))
    const found = bound.find(isReady) ?? bound[0]
    if (found) return found
  }
  return undefined
}

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
