/** The fields of a key event that a chord is made from. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> &
  Partial<Pick<KeyboardEvent, 'keyCode'>>

/**
 * The chord of a key event, as in the command table: `Mod+Shift+K`, `F2`, `?`. Mod is Ctrl, and Cmd on a Mac.
 * @param isTyped whether a text field has the focus, in which Option types characters on a Mac
 */
export function chordOf(press: KeyPress, mac = isMac(), isTyped = false): string {
  // With Cmd too, Option types nothing.
  const isCharacter = mac && isTyped && press.altKey && !press.metaKey
  const name = keyName(press, { mac, isCharacter })
  const modifiers = [
    (mac ? press.metaKey : press.ctrlKey) && 'Mod',
    mac && press.ctrlKey && 'Ctrl',
    press.altKey && 'Alt',
    // Shift is left out when it produced the character: `?`, not `Shift+?`.
    press.shiftKey && !makesCharacter(name) && 'Shift',
  ]
  return [...modifiers.filter(Boolean), name].join('+')
}

function keyName(press: KeyPress, { mac, isCharacter }: { mac: boolean; isCharacter: boolean }): string {
  const { key } = press
  if (key === ' ') return 'Space'
  const latin = isCharacter ? undefined : latinName(press, mac)
  return latin ?? (key.length === 1 ? key.toUpperCase() : key)
}

/**
 * The name on a Latin keyboard, for a key that types something else: the letter of another script, a digit or question mark of
 * another, or what Option makes of a letter on a Mac. So the shortcuts work there too.
 */
function latinName(press: KeyPress, mac: boolean): string | undefined {
  const { key, code, keyCode = 0, shiftKey } = press
  const isMade = mac && press.altKey && (key.length === 1 || key === 'Dead')
  // AltGr types a character, and Windows reports it as Ctrl and Alt.
  const isAltGr = press.ctrlKey && press.altKey && !press.metaKey
  if (isAltGr || (!isMade && (key.length > 1 || key <= '\u007f'))) return undefined
  if (otherMarks[key]) return otherMarks[key]
  if (/\p{Nd}/u.test(key)) return /^Digit\d$/.test(code) ? code.slice(5) : undefined
  if (shiftKey && !isMade && shifted[code]) return shifted[code]
  // The layout's letter where the browser tells it, else the position of the key.
  if (keyCode >= 65 && keyCode <= 90) return String.fromCharCode(keyCode)
  return /^Key[A-Z]$/.test(code) ? code.slice(3) : undefined
}

const otherMarks: Record<string, string> = { '؟': '?', '？': '?' }
const shifted: Record<string, string> = { Comma: '<', Period: '>' }

const makesCharacter = (key: string) => key.length === 1 && key !== ' ' && key.toUpperCase() === key.toLowerCase()

/** Whether the keyboard has a Cmd key. */
export const isMac = (): boolean => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)
