/** What was changed in `mine` since `before`, and the rest as it is `now`. Objects by their fields; a list is one value. */
export function onTop<T>(mine: T, before: T, now: T): T {
  if (isSame(mine, before)) return now
  if (!isRecord(mine) || !isRecord(before) || !isRecord(now)) return mine
  return Object.fromEntries(Object.keys(mine).map((name) => [name, onTop(mine[name], before[name], now[name])])) as T
}

/** Whether two values are stored as the same JSON. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
