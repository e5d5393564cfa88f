// How much work a function does, counted and not timed: the same on every machine.

type Method = (this: { length?: number; size?: number }, ...asked: unknown[]) => unknown

/** Methods of the language that go through their whole object. */
const through: readonly (readonly [object, readonly PropertyKey[]])[] = [
  [String.prototype, ['slice', 'substring', 'indexOf', 'lastIndexOf', 'split', 'startsWith', 'endsWith', 'toLowerCase']],
  [Array.prototype, [Symbol.iterator, 'concat', 'slice', 'indexOf', 'includes', 'find', 'some', 'every', 'filter', 'map']],
]
/** Those that look at one entry. */
const once: typeof through = [
  [Array.prototype, ['push']],
  [Map.prototype, ['get', 'set', 'has']],
  [Set.prototype, ['add', 'has']],
]

/** Calls of these methods while the work runs, each with the elements or characters that it goes through. @param work ends before it returns */
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
