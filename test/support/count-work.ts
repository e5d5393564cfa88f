// Counts the steps of a function instead of timing it, which gives the same result on every machine.

type Method = (this: { length?: number; size?: number }, ...asked: unknown[]) => unknown

/** Built-in methods that take time in proportion to the length of their object. */
const through: readonly (readonly [object, readonly PropertyKey[]])[] = [
  [String.prototype, ['slice', 'substring', 'indexOf', 'lastIndexOf', 'split', 'startsWith', 'endsWith', 'toLowerCase']],
  [Array.prototype, [Symbol.iterator, 'concat', 'slice', 'indexOf', 'includes', 'find', 'some', 'every', 'filter', 'map']],
]
/** Built-in methods that take constant time. */
const once: typeof through = [
  [Array.prototype, ['push']],
  [Map.prototype, ['get', 'set', 'has']],
  [Set.prototype, ['add', 'has']],
]

/** Counts the calls of these methods, those of the first kind with the length of their object. @param work must be synchronous */
export function countWork(work: () => void): number {
  let count = 0
  const restore = [
    ...counted(through, ({ length = 0 }) => {
      count += 1 + length
    }),
    ...counted(once, () => {
      count++
    }),
  ]
  try {
    work()
  } finally {
    for (const method of restore) method()
  }
  return count
}

function counted(methods: typeof through, count: (on: { length?: number }) => void): (() => void)[] {
  const all = methods.flatMap(([prototype, names]) => names.map((name) => ({ prototype, name })))
  return all.map(({ prototype, name }) => {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor
    const method = descriptor.value as Method
    const value: Method = function (...asked) {
      count(this)
      return method.apply(this, asked)
    }
    Object.defineProperty(prototype, name, { ...descriptor, value })
    return () => Object.defineProperty(prototype, name, descriptor)
  })
}
