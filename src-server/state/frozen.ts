/**
 * Freezes a JSON value with all that it holds, so that an edit in place fails at once. What is frozen already is not looked into:
 * it must be frozen with all that it holds.
 */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Array.isArray(value) ? value : Object.values(value)) frozen(part)
  return Object.freeze(value)
}
