/** The name that `typed` most likely misspells, or undefined when none is similar. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: distance(typed, name) }))
    .sort((one, other) => one.distance - other.distance)
  const best = ranked[0]
  return best !== undefined && best.distance <= Math.max(2, typed.length / 3) ? best.name : undefined
}

/** The number of letters to add, remove, change or swap with their neighbour: the optimal string alignment distance. */
function distance(one: string, other: string): number {
  const table: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => table[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= one.length; row += 1) {
    table[row] = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const change = at(row - 1, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1)
      const swap = isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY
      table[row]?.push(Math.min(change, swap, at(row - 1, column) + 1, at(row, column - 1) + 1))
    }
  }
  return at(one.length, other.length)
}
