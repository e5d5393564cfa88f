/** Go's bits for setuid, setgid and sticky, in the order of the three groups of permissions, with their letters and octal digits. */
const special = [
  [2 ** 23, 's', 4],
  [2 ** 22, 's', 2],
  [2 ** 20, 't', 1],
] as const

/**
 * Permission bits as `ls` and `chmod` write them: `rw-r-----` and `640`.
 * @param mode Go's file mode, as the server sends it
 */
export function formatMode(mode: number): { letters: string; octal: string } {
  const letters = special.map(([bit, letter], group) => {
    const bits = (mode >> (6 - 3 * group)) & 7
    const runs = (bits & 1) !== 0
    const last = mode & bit ? (runs ? letter : letter.toUpperCase()) : runs ? 'x' : '-'
    return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${last}`
  })
  const first = special.reduce((sum, [bit, , digit]) => sum + (mode & bit ? digit : 0), 0)
  return { letters: letters.join(''), octal: `${first || ''}${(mode & 0o777).toString(8).padStart(3, '0')}` }
}
