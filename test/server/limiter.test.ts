import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { Counts, LeastRunningFirst, Limiter } from '../../src-server/base/limiter.ts'

test('work that is given up while it waits is not done, and keeps nobody waiting', async () => {
  const limiter = new Limiter({ inAll: 1 })
  const first = Promise.withResolvers<void>()
  const abort = new AbortController()
  const done: string[] = []
  const works = [
    limiter.run(() => first.promise),
    limiter.run(async () => void done.push('given up'), { signal: abort.signal }),
    limiter.run(async () => void done.push('last')),
  ]
  abort.abort(new Error('nobody waits for it'))
  await assert.rejects(works[1] as Promise<void>, /nobody waits for it/)
  first.resolve()
  await Promise.all([works[0], works[2]])
  assert.deepEqual(done, ['last'])
  await assert.rejects(
    limiter.run(async () => void done.push('aborted before'), { signal: abort.signal }),
    /nobody waits for it/,
  )
  await limiter.run(async () => void done.push('free again'))
  assert.deepEqual(done, ['last', 'free again'])
})

test('work whose signal is aborted just when its turn comes is not done, and its slot goes to the next', async () => {
  const limiter = new Limiter({ inAll: 1 })
  const first = limiter.take()
  const abort = new AbortController()
  const done: string[] = []
  const works = [
    limiter.run(async () => void done.push('aborted'), { signal: abort.signal }),
    limiter.run(async () => void done.push('next')),
  ]
  first.close()
  abort.abort(new Error('nobody waits for it'))
  await assert.rejects(works[0] as Promise<void>, /nobody waits for it/)
  await works[1]
  assert.deepEqual([done, limiter.running.inAll], [['next'], 0])
})

test('work that fails gives its slot to the next', async () => {
  const limiter = new Limiter({ inAll: 1 })
  const works = [limiter.run(() => Promise.reject(new Error('it failed'))), limiter.run(async () => 'next')]
  await assert.rejects(works[0] as Promise<string>, /it failed/)
  assert.equal(await works[1], 'next')
})

describe('a limiter with keys', () => {
  const refusal = () => new Failure('busy', 'too much')
  /** Enters work under each key; `begun` names those that may run, in the order in which they began. */
  const enterAll = (limiter: Limiter<string>, keys: readonly string[]) => {
    const begun: string[] = []
    const refused: string[] = []
    const slots = keys.map(async (key, index) => {
      try {
        return await limiter.enter({ key: key[0] as string })
      } catch {
        refused.push(key)
        return undefined
      } finally {
        if (!refused.includes(key)) begun.push(`${index}${key}`)
      }
    })
    return { begun, refused, slots }
  }
  const settled = () => new Promise(setImmediate)

  test('begins first whose key has least running, and of one key in the order of arrival', async () => {
    const limiter = new Limiter<string>({ inAll: 2, ofOne: 2 })
    const { begun, slots } = enterAll(limiter, ['a', 'a', 'a', 'b', 'a', 'c'])
    await settled()
    for (const slot of slots.slice(0, 4)) (await slot)?.close()
    await settled()
    assert.deepEqual(begun, ['0a', '1a', '3b', '2a', '4a', '5c'])
  })

  test('refuses what finds too many waiting, and of others not', async () => {
    const limiter = new Limiter<string>({ inAll: 1, line: new LeastRunningFirst({ inAll: 3, ofOne: 2 }), refusal })
    const { refused, begun } = enterAll(limiter, ['a', 'a', 'a1', 'a2', 'b', 'b1'])
    await settled()
    assert.deepEqual([begun, refused], [['0a'], ['a2', 'b1']])
  })

  test('takes a slot without waiting, or refuses it', async () => {
    const limiter = new Limiter<string>({ ofOne: 1, refusal })
    const slot = limiter.take('a')
    assert.throws(() => limiter.take('a'), { code: 'busy', message: 'too much' })
    limiter.take('b')
    slot.close()
    slot.close()
    limiter.take('a')
    assert.equal(limiter.running.inAll, 2)
  })

  test('lets the next begin when a slot counts elsewhere, as long as there is room', async () => {
    const [limiter, late] = [new Limiter<string>({ inAll: 1 }), new Counts<string>()]
    const { begun, slots } = enterAll(limiter, ['a', 'a', 'a'])
    const most = { inAll: 1, ofOne: 1 }
    const [first, second] = slots
    assert.equal((await first)?.moveTo(late, most), true)
    assert.equal((await second)?.moveTo(late, most), false)
    await settled()
    assert.deepEqual([begun, late.of('a')], [['0a', '1a'], 1])
    ;(await first)?.close()
    assert.equal((await second)?.moveTo(late, most), true)
    await settled()
    assert.deepEqual(begun, ['0a', '1a', '2a'])
  })

  test('refuses what has waited too long', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const limiter = new Limiter<string>({ inAll: 1, longestWait: 1000, refusal })
    const { refused, begun } = enterAll(limiter, ['a', 'b'])
    t.mock.timers.tick(1000)
    await settled()
    assert.deepEqual([begun, refused], [['0a'], ['b']])
  })
})
