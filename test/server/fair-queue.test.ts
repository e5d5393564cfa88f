// Whose turn it is among those who wait for their passwords.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Argon2Engine } from '../../src-server/users/argon2-engine.ts'
import type { WaitingSource } from '../../src-server/users/fair-queue.ts'
import { Passwords } from '../../src-server/users/passwords.ts'

/** Passwords that are asked for one after another, and the names in the order in which their hashes begin. */
function startTurns() {
  const begun: string[] = []
  const running: (() => void)[] = []
  const work = () => new Promise<void>((resolve) => running.push(resolve))
  const engine: Argon2Engine = {
    name: 'argon2',
    hash: (password) => {
      begun.push(password)
      return work().then(() => 'hash')
    },
    verify: () => assert.fail(),
  }
  const passwords = new Passwords({ engine: async () => engine, limits: { atOnce: 1, waiting: 20 } })
  const ended: Promise<unknown>[] = []
  const finishOne = async () => {
    running.shift()?.()
    await new Promise(setImmediate)
  }
  return {
    begun,
    finishOne,
    ask: async (name: string, source: WaitingSource) => {
      ended.push(passwords.hash(name, source).catch(() => begun.push(`${name} refused`)))
      await new Promise(setImmediate)
    },
    finishAll: async () => {
      while (running.length > 0) await finishOne()
      await Promise.all(ended)
    },
  }
}

for (const [what, sourceOf] of [
  ['an address', (name: string) => name],
  ['a name of a shared address', (name: string) => ({ address: 'proxy', name })],
] as const)
  test(`${what} that has had a turn has the next one while others come that have had none`, async () => {
    const { begun, ask, finishOne, finishAll } = startTurns()
    for (let index = 0; index <= 5; index++) await ask(`office ${index}`, sourceOf('office'))
    for (let index = 0; index < 16; index++) {
      await ask(`new ${index}`, sourceOf(`new ${index}`))
      await finishOne()
    }
    const turns = begun.flatMap((name, turn) => (name.startsWith('office') ? [turn] : []))
    // One turn of each that waits lies between two of its own: of one, of two, and so on.
    assert.deepEqual(turns, [0, 1, 3, 6, 10, 15])
    await finishAll()
  })

test('whoever comes again, after a turn or a refusal, waits behind those who came meanwhile', async () => {
  const { begun, ask, finishOne, finishAll } = startTurns()
  for (const name of ['running', 'a', 'b', 'b']) await ask(name, name)
  await finishOne()
  await ask('c', 'c')
  await ask('a again', 'a')
  await finishAll()
  assert.deepEqual(begun.splice(0), ['running', 'a', 'b', 'c', 'a again', 'b'])
  await ask('running', 'running')
  for (let index = 0; index < 20; index++) await ask(`first ${index}`, `first ${index}`)
  await ask('refused', 'late')
  for (let turn = 0; turn < 2; turn++) await finishOne()
  await ask('meanwhile', 'meanwhile')
  await ask('came again', 'late')
  await finishAll()
  assert.equal(begun[1], 'refused refused')
  assert.deepEqual(begun.slice(-2), ['meanwhile', 'came again'])
})
