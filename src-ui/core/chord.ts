/** The fields of a key event that a chord is made from. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** The chord of a key event, as in the command table: `Mod+Shift+K`, `F2`, `?`. Mod is Ctrl, and Cmd on a Mac. */
export function chordOf(press: KeyPress, mac = isMac()): string {
  const modifiers = [
    (mac ? press.metaKey : press.ctrlKey) && 'Mod',
    mac && press.ctrlKey && 'Ctrl',
    press.altKey && 'Alt',
    // Shift is left out when it produced the character: `?`, not `Shift+?`.
    press.shiftKey && !makesCharacter(press.key) && 'Shift',
  ]
  return [...modifiers.filter(Boolean), keyName(press)].join('+')
}

// On a keyboard with another script the letter is not Latin. The physical key is used instead, so that Ctrl+C works there.
function keyName({ key, code, ctrlKey, metaKey }: KeyPress): string {
  const isForeign = key.length === 1 && key > '\u007f' && (ctrlKey || metaKey)
  if (isForeign && /^Key[A-Z]$/.test(code)) return code.slice(3)
  if (key === ' ') return 'Space'
  return key.length === 1 ? key.toUpperCase() : key
}

const makesCharacter = (key: string) => key.length === 1 && key !== ' ' && key.toUpperCase() === key.toLowerCase()

/** Whether the keyboard has a Cmd key. */
export const isMac = (): boolean => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

const signs: Record<string, string> = {
  Enter: '↵',
  Delete: 'Del',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  ContextMenu: 'Menu',
}
const macSigns: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧', Ctrl: '⌃' }

/** A chord as a menu shows it: `Ctrl S`, `⌘ S`. */
export function showChord(chord: string, mac = isMac()): string {
  const names = mac ? macSigns : { Mod: 'Ctrl' }
  return (
    chord
      // The key + is itself the last part.
      .split(/\+(?=.)/)
      .map((part) => (names as Record<string, string>)[part] ?? signs[part] ?? part)
      .join(' ')
  )
}
