import assert from 'node:assert/strict'
import { test } from 'node:test'
import argon2 from 'argon2'
import { type Argon2Engine, cryptoEngine, loadArgon2 } from '../../src-server/users/argon2-engine.ts'
import { Passwords, passwordCost } from '../../src-server/users/passwords.ts'
import { formatHash, parseHash } from '../../src-server/users/phc.ts'
import { cheapCost } from '../support/start-state.ts'

const password = 'pässwörd with 😀 in it'
const native = () => loadArgon2(assert.fail)

test('a password costs 64 MiB, three passes and one lane of argon2id', async () => {
  assert.deepEqual(passwordCost, { memory: 64 * 1024, passes: 3, lanes: 1 })
  const passwords = new Passwords()
  const phc = await passwords.hash(password)
  assert.match(phc, /^\$argon2id\$v=19\$m=65536,t=3,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.equal(await passwords.verify(password, phc), true)
  assert.equal(await passwords.verify(`${password} `, phc), false)
})

/** Microseconds. */
const sum = ({ user, system }: NodeJS.CpuUsage) => user + system

test('hashing does not block the main thread', async () => {
  for (const engine of [await native(), cryptoEngine]) {
    const [mainBefore, allBefore] = [process.threadCpuUsage(), process.cpuUsage()]
    await engine.hash(password, passwordCost)
    const [main, all] = [sum(process.threadCpuUsage(mainBefore)), sum(process.cpuUsage(allBefore))]
    // Compared, because how long a hash takes, and when this thread goes on, depends on the machine.
    assert.ok(main < all / 2, `${engine.name}: ${main} of ${all} µs are the main thread's`)
  }
})

test('the library and Node produce and accept the same strings', async () => {
  const engines = [await native(), cryptoEngine]
  for (const maker of engines) {
    const phc = await maker.hash(password, { memory: 256, passes: 2, lanes: 1 })
    assert.match(phc, /^\$argon2id\$v=19\$m=256,t=2,p=1\$/)
    for (const verifier of engines) {
      assert.equal(await verifier.verify(password, phc), true, `${maker.name} to ${verifier.name}`)
      assert.equal(await verifier.verify('another', phc), false)
    }
  }
  // Some libraries write the parameters in another order.
  const salt = Buffer.from('somesaltsomesalt')
  const parameters = { type: argon2.argon2id, salt, memoryCost: 64, timeCost: 1, parallelism: 1 } as const
  const phc = await argon2.hash(password, parameters)
  for (const engine of engines) assert.equal(await engine.verify(password, phc), true, engine.name)
  const [memory, passes, lanes] = ['m=64', 't=1', 'p=1']
  for (const order of [
    [memory, passes, lanes],
    [lanes, memory, passes],
    [passes, lanes, memory],
  ]) {
    const text = phc.replace(/\$v=19\$[^$]*/, `$v=19$${order.join(',')}`)
    for (const engine of engines) assert.equal(await engine.verify(password, text), true, text)
  }
})

/** The test vector of RFC 9106, section 5.3, uses a secret and associated data, which Holdall does not; this is argon2's own. */
test('a hash of the reference implementation verifies', async () => {
  const phc = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  for (const engine of [await native(), cryptoEngine]) {
    assert.equal(await engine.verify('password', phc), true, engine.name)
    assert.equal(await engine.verify('Password', phc), false, engine.name)
  }
})

test('two hashes of one password differ', async () => {
  const passwords = new Passwords({ cost: cheapCost })
  assert.notEqual(await passwords.hash(password), await passwords.hash(password))
})

test('when the library cannot be loaded Node hashes, and the reason is reported once', async () => {
  const reasons: string[] = []
  const broken = () => Promise.reject(new Error('/cache/native: cannot open shared object\nstack'))
  const engine = () => loadArgon2((reason) => reasons.push(reason), broken)
  const passwords = new Passwords({ cost: cheapCost, engine })
  const phc = await passwords.hash(password)
  assert.equal(await passwords.verify(password, phc), true)
  assert.equal(await passwords.prepare(), 'node:crypto')
  assert.deepEqual(reasons, [
    'the native argon2 library cannot be loaded, passwords are hashed by Node: /cache/native: cannot open shared object',
  ])
  assert.equal(await new Passwords({ cost: cheapCost }).verify(password, phc), true, 'and the library reads them later')
})

test('nothing native is loaded before the first password', () => {
  let loads = 0
  new Passwords({
    engine: () => {
      loads += 1
      return native()
    },
  })
  assert.equal(loads, 0)
})

/** An engine whose hashes end one by one, when the test calls `finishOne`. */
function slowEngine() {
  const running: (() => void)[] = []
  let most = 0
  let begun = 0
  const work = async () => {
    begun += 1
    await new Promise<void>((resolve) => {
      running.push(resolve)
      most = Math.max(most, running.length)
    })
  }
  const engine: Argon2Engine = {
    name: 'argon2',
    hash: async () => {
      await work()
      return 'hash'
    },
    verify: async () => {
      await work()
      return true
    },
  }
  const finishOne = async () => {
    running.shift()?.()
    await new Promise(setImmediate)
  }
  return { engine: async () => engine, finishOne, most: () => most, begun: () => begun, isIdle: () => running.length === 0 }
}

test('two run at a time, twenty wait, and further ones are refused with a time to retry', async () => {
  const { engine, finishOne, most, begun, isIdle } = slowEngine()
  const passwords = new Passwords({ engine })
  const taken = Array.from({ length: 22 }, (_, index) =>
    index % 2 === 0 ? passwords.hash('x') : passwords.verify('x', undefined),
  )
  await new Promise(setImmediate)
  await assert.rejects(passwords.verify('x', undefined), { code: 'busy', retryAfter: 3 })
  await assert.rejects(passwords.hash('x'), { code: 'busy', retryAfter: 3 })
  assert.equal(begun(), 2)
  await finishOne()
  const another = passwords.hash('x')
  while (!isIdle()) await finishOne()
  await Promise.all([...taken, another])
  assert.equal(most(), 2)
  assert.equal(begun(), 23)
})

test('when too many wait, the newest of the source that has most waiting is refused', async () => {
  const { engine, finishOne, isIdle } = slowEngine()
  for (const passwords of [new Passwords({ engine }), new Passwords({ engine }).beside({ atOnce: 2, waiting: 20 })]) {
    const ended: string[] = []
    const ask = (name: string, source: string) =>
      passwords.verify('x', undefined, source).then(
        () => ended.push(name),
        ({ code, retryAfter }) => ended.push(`${name} ${code} ${retryAfter}`),
      )
    const all = [ask('first', 'a'), ask('second', 'a')]
    for (let index = 0; index < 12; index++) all.push(ask(`a${index}`, 'a'))
    for (let index = 0; index < 8; index++) all.push(ask(`b${index}`, 'b'))
    await new Promise(setImmediate)
    all.push(ask('c', 'c'), ask('d', 'd'), ask('a12', 'a'))
    await new Promise(setImmediate)
    assert.deepEqual(ended, ['a11 busy 3', 'a10 busy 3', 'a12 busy 3'])
    while (!isIdle()) await finishOne()
    await Promise.all(all)
    assert.ok(['c', 'd'].every((name) => ended.includes(name)))
  }
})

test('of an address with many names one is refused, and not another address', async () => {
  const { engine, finishOne, isIdle } = slowEngine()
  const passwords = new Passwords({ engine })
  const ended: string[] = []
  const ask = (name: string, address: string) =>
    passwords.verify('x', undefined, { address, name }).then(
      () => ended.push(name),
      () => ended.push(`${name} refused`),
    )
  const all = Array.from({ length: 22 }, (_, index) => ask(`invented ${index}`, 'proxy'))
  all.push(ask('ann', 'elsewhere'))
  await new Promise(setImmediate)
  assert.deepEqual(ended, ['invented 21 refused'])
  while (!isIdle()) await finishOne()
  await Promise.all(all)
})

test('those who wait take turns by their sources', async () => {
  const { engine, finishOne, isIdle } = slowEngine()
  const passwords = new Passwords({ engine })
  const ended: string[] = []
  const ask = (name: string, address: string) => passwords.verify('x', undefined, { address, name }).then(() => ended.push(name))
  const all = [ask('first', 'a'), ask('second', 'a')]
  for (let index = 0; index < 6; index++) all.push(ask('flood', 'a'))
  all.push(ask('ann', 'a'), ask('ben', 'b'))
  await new Promise(setImmediate)
  while (!isIdle()) await finishOne()
  await Promise.all(all)
  assert.deepEqual(ended.slice(0, 6), ['first', 'second', 'flood', 'ben', 'ann', 'flood'])
})

test('when nobody has more waiting than others, whoever comes last is refused', async () => {
  const { engine, finishOne, isIdle } = slowEngine()
  const passwords = new Passwords({ engine })
  const taken = Array.from({ length: 22 }, (_, index) => passwords.verify('x', undefined, `source ${index}`))
  await assert.rejects(passwords.verify('x', undefined, 'another'), { code: 'busy', retryAfter: 3 })
  while (!isIdle()) await finishOne()
  await Promise.all(taken)
})

test('a failed hash no longer counts as running', async () => {
  let calls = 0
  const engine: Argon2Engine = {
    name: 'argon2',
    hash: async () => {
      calls += 1
      throw new Error('out of memory')
    },
    verify: async () => false,
  }
  const passwords = new Passwords({ engine: async () => engine })
  await Promise.allSettled(Array.from({ length: 10 }, () => passwords.hash('x')))
  assert.equal(calls, 10)
})

test('an invalid hash never verifies, and takes as long as a valid one', async () => {
  const seen: string[] = []
  const engine: Argon2Engine = {
    name: 'argon2',
    hash: async () => '',
    verify: async (_, phc) => {
      seen.push(phc)
      return true
    },
  }
  const passwords = new Passwords({ engine: async () => engine })
  const strange = [
    undefined,
    '',
    'plain text',
    '$2b$10$abcdefghijklmnopqrstuv',
    '$argon2i$v=19$m=64,t=1,p=1$AAAA$AAAA',
    '$argon2id$v=19$m=64,t=1$AAAA$AAAA',
  ]
  for (const phc of strange) assert.equal(await passwords.verify('x', phc), false, phc)
  assert.equal(seen.length, strange.length)
  for (const phc of seen) assert.deepEqual({ ...parseHash(phc), salt: 0, tag: 0 }, { ...passwordCost, salt: 0, tag: 0 })
})

test('a hash string is parsed to what was formatted', () => {
  const hash = { memory: 65_536, passes: 3, lanes: 1, salt: Buffer.from('0123456789abcdef'), tag: Buffer.alloc(32, 7) }
  assert.deepEqual(parseHash(formatHash(hash)), hash)
})

test('a stored hash whose check would take minutes is no hash: no password is right, and nobody waits', () => {
  const hash = { memory: 65_536, passes: 3, lanes: 1, salt: Buffer.alloc(16), tag: Buffer.alloc(32) }
  for (const cost of [{ memory: 4_194_304, passes: 1000 }, { passes: 10_000_000 }, { memory: 8_388_608 }])
    assert.equal(parseHash(formatHash({ ...hash, ...cost })), undefined)
  assert.notEqual(parseHash(formatHash({ ...hash, passes: 4 })), undefined)
})
