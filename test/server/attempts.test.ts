import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failure } from '../../src-server/base/failure.ts'
import { Attempts, type Pause } from '../../src-server/users/attempts.ts'
import { sourceOf } from '../../src-server/users/source-address.ts'
import { UnnamedProxies } from '../../src-server/users/unnamed-proxies.ts'
import { StoppedClock } from '../support/clock.ts'

function start() {
  const clock = new StoppedClock()
  const pauses: number[] = []
  const attempts = new Attempts({ clock, pause: async (milliseconds) => pauses.push(milliseconds) })
  const fail = async (name: string, address: string, times = 1) => {
    for (let time = 0; time < times; time += 1) attempts.failed(name, address)
  }
  /** Seconds to wait; 0 when the attempt is allowed. */
  const wait = async (name: string, address: string) => {
    const failure: Failure | undefined = await attempts.check(name, address).then(
      () => undefined,
      (error) => error,
    )
    if (failure !== undefined) assert.equal(failure.code, 'tooMany')
    return failure?.retryAfter ?? 0
  }
  return { clock, attempts, pauses, fail, wait }
}

test('a name from an address: five are free, then each failure doubles the wait, up to a quarter of an hour', async () => {
  const { clock, fail, wait } = start()
  await fail('ann', '192.0.2.1', 4)
  assert.equal(await wait('ann', '192.0.2.1'), 0)
  const waits: number[] = []
  for (let round = 0; round < 12; round += 1) {
    await fail('ann', '192.0.2.1')
    const seconds = await wait('ann', '192.0.2.1')
    waits.push(seconds)
    clock.advance({ seconds })
    assert.equal(await wait('ann', '192.0.2.1'), 0, 'after the wait one more is allowed')
  }
  assert.deepEqual(waits, [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
})

test('further attempts during the wait do not make it longer', async () => {
  const { clock, fail, wait } = start()
  await fail('ann', '192.0.2.1', 8)
  assert.equal(await wait('ann', '192.0.2.1'), 16)
  clock.advance({ milliseconds: 500 })
  assert.equal(await wait('ann', '192.0.2.1'), 16)
  clock.advance({ seconds: 10 })
  assert.equal(await wait('ann', '192.0.2.1'), 6)
})

test('one address that tries many names is refused for all of them, and others are not', async () => {
  const { fail, wait } = start()
  for (let index = 0; index < 50; index += 1) await fail(`name-${index}`, '192.0.2.1')
  assert.equal(await wait('ann', '192.0.2.1'), 2)
  assert.equal(await wait('ann', '192.0.2.2'), 0)
})

test('no address can lock a name out for others: sign-ins with it only get a little slower', async () => {
  const { fail, wait, pauses } = start()
  for (let index = 0; index < 500; index += 1) await fail('admin', `198.51.100.${index % 250}`)
  assert.equal(await wait('admin', '192.0.2.1'), 0)
  assert.deepEqual(pauses, [4000])
})

test('a success forgets the failures of the name, not those of the address', async () => {
  const { attempts, fail, wait } = start()
  await fail('ann', '192.0.2.1', 5)
  attempts.succeeded('ann', '192.0.2.1')
  assert.equal(await wait('ann', '192.0.2.1'), 0)
  await fail('admin', '192.0.2.1', 45)
  attempts.succeeded('ann', '192.0.2.1')
  assert.ok((await wait('bob', '192.0.2.1')) > 0, 'a success with another account does not reset the address')
})

test('failures are forgotten an hour after the last', async () => {
  const { clock, fail, wait } = start()
  await fail('ann', '192.0.2.1', 20)
  clock.advance({ minutes: 60 })
  await fail('ann', '192.0.2.1', 4)
  assert.equal(await wait('ann', '192.0.2.1'), 0)
})

for (const address of ['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1', '']) {
  test(`from "${address}" nobody is refused: a name is slowed down alone, and sooner when many names fail`, async () => {
    const { fail, wait, pauses } = start()
    await fail('ben', address)
    for (let index = 0; index < 200; index += 1) await fail(`name-${index}`, address)
    assert.equal(await wait('ann', address), 0)
    assert.deepEqual(pauses, [], 'who has typed nothing wrong does not wait because of others')
    await fail('ann', address)
    assert.deepEqual([await wait('ann', address), await wait('ben', address)], [0, 0])
    await fail('ann', address, 50)
    assert.equal(await wait('ann', address), 0)
    assert.deepEqual(pauses, [4000, 4000, 4000])
  })
}

for (const [what, shift] of [
  ['back', -365],
  ['forward', 365],
] as const) {
  test(`a time of day that is put ${what} changes no wait`, async () => {
    const { clock, fail, wait } = start()
    await fail('ann', '192.0.2.1', 20)
    clock.set(clock.now() + shift * 24 * 3600 * 1000)
    assert.equal(await wait('ann', '192.0.2.1'), 900)
    clock.advance({ minutes: 15 })
    assert.equal(await wait('ann', '192.0.2.1'), 0)
  })
}

test('names are not mixed up with addresses', async () => {
  const { fail, wait } = start()
  await fail('x', '192.0.2.1', 20)
  assert.equal(await wait('1 x', '192.0.2.'), 0)
  assert.equal(await wait('x ', '192.0.2.1'), 0)
})

test('for any number of invented names and addresses the memory stays small', async () => {
  const { attempts, fail } = start()
  for (let index = 0; index < 30_000; index += 1)
    await fail(`name-${index}`, `2001:db8:${(index >> 8).toString(16)}:${index & 255}::1`)
  assert.equal(attempts.size, 10_000)
})

test('long names are distinguished up to their last letter', async () => {
  const { fail, wait } = start()
  await fail(`${'n'.repeat(1023)}a`, '192.0.2.1', 6)
  assert.ok((await wait(`${'n'.repeat(1023)}a`, '192.0.2.1')) > 0)
  assert.equal(await wait(`${'n'.repeat(1023)}b`, '192.0.2.1'), 0)
})

test('of a hundred that wait for slowed names, the newest of whoever has most waiting is refused for one more', async () => {
  const opened = Promise.withResolvers<void>()
  let [pauses, stopped] = [0, 0]
  const pause: Pause = (_milliseconds, signal) => {
    pauses += 1
    signal.addEventListener('abort', () => stopped++)
    return opened.promise
  }
  const attempts = new Attempts({ clock: new StoppedClock(), pause })
  for (let index = 0; index < 20; index += 1) attempts.failed('ann', `198.51.100.${index}`)
  const ended: string[] = []
  const check = (name: string, address: string) =>
    attempts.check('ann', address).then(
      () => ended.push(name),
      ({ code, retryAfter }) => ended.push(`${name} ${code} ${retryAfter}`),
    )
  const all = Array.from({ length: 100 }, (_, index) => check(`${index}`, index < 60 ? '192.0.2.1' : '192.0.2.2'))
  all.push(check('the owner', '192.0.2.3'), check('one more', '192.0.2.1'))
  await new Promise(setImmediate)
  assert.deepEqual(ended, ['59 busy 3', 'one more busy 3'])
  assert.deepEqual([pauses, stopped], [101, 1])
  opened.resolve()
  await Promise.all(all)
  assert.ok(ended.includes('the owner'))
  assert.equal(ended.length, 102)
})

test('behind a proxy that is not named, those who wait for one name keep nobody from another', async () => {
  const proxies = new UnnamedProxies()
  proxies.add('10.0.0.7')
  const opened = Promise.withResolvers<void>()
  const attempts = new Attempts({ clock: new StoppedClock(), pause: () => opened.promise, proxies })
  for (const name of ['ann', 'ben']) for (let index = 0; index < 20; index += 1) attempts.failed(name, `198.51.100.${index}`)
  const guesses = Array.from({ length: 100 }, () => attempts.check('ann', '10.0.0.7'))
  const ben = attempts.check('ben', '10.0.0.7')
  await assert.rejects(guesses[99] ?? assert.fail(), { code: 'busy', retryAfter: 3 })
  opened.resolve()
  await Promise.all([ben, ...guesses.slice(0, 99)])
})

const sources: [address: string, source: string][] = [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['', ''],
]

for (const [address, source] of sources) {
  test(`"${address}" counts as "${source}"`, () => assert.equal(sourceOf(address), source))
}

test('proxies that are not named only slow down, under one rate of all', async () => {
  const clock = new StoppedClock()
  const pauses: number[] = []
  const proxies = new UnnamedProxies()
  const attempts = new Attempts({ clock, pause: async (milliseconds) => pauses.push(milliseconds), proxies })
  const near = ['10.0.0.7', '172.31.255.1', '192.168.1.2', '100.64.0.1', '169.254.1.1', 'fd00::1', 'fe80::1', '127.0.0.1', 'unix']
  const added = [...near, '192.0.2.1', '172.32.0.1', '2001:db8::1', '10.0.0.7'].map((name) => proxies.add(name))
  assert.deepEqual(added, [...near.map(() => true), false, false, false, false])
  assert.deepEqual(proxies.names, near)
  for (const [index, address] of near.entries())
    for (let time = 0; time < 10; time += 1) attempts.failed(`name-${index}-${time}`, address)
  await attempts.check('ann', '10.0.0.7')
  assert.deepEqual(pauses, [], 'a name that has not failed')
  attempts.failed('ann', '::ffff:10.0.0.7')
  for (const address of near) await attempts.check('ann', address === 'unix' ? '' : address)
  assert.deepEqual(
    pauses,
    near.map(() => 4000),
  )
  for (let time = 0; time < 50; time += 1) attempts.failed(`far-${time}`, '192.0.2.1')
  await assert.rejects(attempts.check('ann', '192.0.2.1'), { code: 'tooMany' })
  await attempts.check('ann', '192.0.2.2')
  assert.equal(pauses.length, near.length, 'others are not slowed down')
})

test('a hundred proxies are remembered, so that nobody fills the log with them', () => {
  const proxies = new UnnamedProxies()
  for (let index = 1; index <= 101; index += 1) assert.equal(proxies.add(`10.0.0.${index}`), index <= 100)
  assert.ok(proxies.isShared('10.0.0.100') && !proxies.isShared('10.0.0.101'))
})
