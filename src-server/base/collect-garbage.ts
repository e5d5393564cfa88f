/** Bytes of new memory outside of the heap of V8 after which it is worth the time to give garbage back. */
const enough = 8 * 1024 * 1024
/** Bytes of a stream after which the memory is looked at. */
const interval = 2 * 1024 * 1024
/** Milliseconds between two collections of everything. */
const seldom = 2000

type Generation = 'young' | 'all'

let lastOfAll = Number.NEGATIVE_INFINITY
let isPlanned = false

/**
 * The same pieces. V8 collects memory outside of its heap, such as that of pieces which were sent, only after 64 MB of it; here it is
 * collected earlier. Does nothing without Node's option `--expose-gc`.
 * @param generation `young` takes about a millisecond. `all` does more now and then, which stops everything for 20 to 50 ms: for a
 * compressor that is so slow that what waits for it gets old.
 */
export async function* collectGarbage(
  pieces: AsyncIterable<Uint8Array>,
  generation: Generation,
): AsyncGenerator<Uint8Array, void, undefined> {
  let passed = 0
  let kept = outsideOfHeap()
  for await (const piece of pieces) {
    yield piece
    passed += piece.length
    if (passed < interval) continue
    passed = 0
    kept = Math.min(kept, outsideOfHeap())
    if (outsideOfHeap() > kept + enough) collect(kept, generation)
  }
}

function collect(kept: number, generation: Generation) {
  globalThis.gc?.({ type: 'minor' })
  if (generation === 'all' && outsideOfHeap() > kept + enough) collectAll()
}

/**
 * Collects everything soon, when what the caller has held is no longer referred to: for work that has made tens of megabytes of small
 * objects, which got old while it lasted, and which V8 would leave until there are some hundred. Now and then only, as it stops
 * everything: shortly after another collection it waits, so that what many such works leave is collected at the latest two seconds after
 * the last of them. Does nothing without Node's option `--expose-gc`.
 */
export function collectAllSoon(): void {
  if (isPlanned) return
  isPlanned = true
  // One millisecond more, as the clock of timers is coarser than that which is asked.
  const wait = Math.max(0, Math.ceil(lastOfAll + seldom - performance.now()) + 1)
  setTimeout(() => {
    isPlanned = false
    collectAll()
  }, wait).unref()
}

function collectAll() {
  if (performance.now() < lastOfAll + seldom) return
  globalThis.gc?.({ type: 'major' })
  lastOfAll = performance.now()
}

function outsideOfHeap() {
  return process.memoryUsage().external
}
