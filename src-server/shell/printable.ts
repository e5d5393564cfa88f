/**
 * What a command wrote, as one line that can be shown: control characters and those that change the direction of text become
 * spaces.
 * @param longest characters
 */
export function printable(text: string, longest: number): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\s]+/gu, ' ').trim()
  return [...line].slice(0, longest).join('')
}
