/**
 * Freezes a JSON value deeply, so that changing it in place throws. Values that are already frozen must be frozen deeply: they
 * are skipped.
 */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Array.isArray(value) ? value : Object.values(value)) frozen(part)
  return Object.freeze(value)
}
