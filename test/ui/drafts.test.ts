// How long texts that are not saved stay in the browser, and how many of them.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { type Draft, type DraftKind, Drafts, draftLife, mostCharacters, mostDrafts } from '../../src-ui/editor/drafts.ts'
import { FakeDraftStore } from './fake-draft-store.ts'

const day = 86_400_000
const ann = 1
const bob = 2

let store: FakeDraftStore
beforeEach(() => {
  store = new FakeDraftStore()
  mock.timers.enable({ apis: ['Date'], now: Date.UTC(2027, 0, 1) })
})
afterEach(() => mock.timers.reset())

const drafts = (person = ann) => new Drafts(person, store.open)
const made = (id: string, part: Partial<Draft> = {}) => ({
  id,
  path: '/a.txt',
  kind: 'unsaved' as DraftKind,
  text: id,
  encoding: 'utf-8',
  hasMark: false,
  version: undefined,
  ...part,
})
const stored = () => [...store.drafts.keys()]
const pass = (milliseconds: number) => mock.timers.tick(milliseconds)

for (const [kind, days] of [
  ['unsaved', 30],
  ['mine', 7],
  ['theirs', 7],
] as const)
  test(`a draft of the kind ${kind} is offered for ${days} days, and then leaves the browser`, async () => {
    assert.equal(draftLife[kind], days * day)
    await drafts().keep(made('old', { kind }))
    pass(days * day)
    assert.deepEqual(
      (await drafts().of('/a.txt')).map(({ id }) => id),
      ['old'],
    )
    pass(1)
    assert.deepEqual(await drafts().of('/a.txt'), [])
    assert.deepEqual(stored(), [])
  })

test('a page that stays open for long removes what expires meanwhile when it reads drafts', async () => {
  const open = drafts()
  await open.keep(made('old'))
  await open.of('/other.txt')
  pass(31 * day)
  await open.of('/other.txt')
  assert.deepEqual(stored(), [])
})

test('a page that stays open for long removes what expires meanwhile when it stores the same draft again', async () => {
  const open = drafts()
  await open.keep(made('typed'))
  await open.keep(made('other', { kind: 'mine' }))
  pass(8 * day)
  await open.keep(made('typed'))
  assert.deepEqual(stored(), ['typed'])
})

test('expired drafts of another person leave the browser too, and those that still count stay', async () => {
  await drafts(bob).keep(made('expired', { kind: 'theirs' }))
  await drafts(bob).keep(made('kept'))
  pass(8 * day)
  await drafts(ann).of('/a.txt')
  assert.deepEqual(stored(), ['kept'])
})

test('at most 100 drafts of a person are kept, and the oldest are removed', async () => {
  const [annes, bobs] = [drafts(ann), drafts(bob)]
  await bobs.keep(made('bob'))
  for (let index = 0; index < mostDrafts + 3; index++) {
    await annes.keep(made(`${index}`))
    pass(1)
  }
  assert.equal(mostDrafts, 100)
  assert.deepEqual(stored(), ['bob', ...Array.from({ length: 100 }, (_, index) => `${index + 3}`)])
})

test('at most 64 Mi characters are kept, and the newest draft stays whatever its size', async () => {
  assert.equal(mostCharacters, 64 * 2 ** 20)
  const open = drafts()
  const half = ' '.repeat(mostCharacters / 2)
  await open.keep(made('oldest'))
  pass(1)
  for (const id of ['first half', 'second half']) {
    await open.keep(made(id, { text: half }))
    pass(1)
  }
  assert.deepEqual(stored(), ['first half', 'second half'])
  await open.keep(made('too large', { text: ' '.repeat(mostCharacters + 1) }))
  assert.deepEqual(stored(), ['too large'])
})

test('a draft that expired does not push out one that still counts', async () => {
  const open = drafts()
  await open.keep(made('unsaved', { text: ' '.repeat(mostCharacters / 2 + 1) }))
  pass(1)
  await open.keep(made('mine', { kind: 'mine' }))
  store.drafts.set('mine', { ...(store.drafts.get('mine') as Draft), text: ' '.repeat(mostCharacters / 2) })
  pass(8 * day)
  await drafts().of('/a.txt')
  assert.deepEqual(stored(), ['unsaved'])
})

test('when tidying fails, drafts are stored and read nevertheless', async () => {
  store.fails = (mode, didReadAll) => mode === 'readwrite' && didReadAll
  const open = drafts()
  await open.keep(made('kept'))
  assert.deepEqual(
    (await drafts().of('/a.txt')).map(({ id }) => id),
    ['kept'],
  )
})

test('a draft that the browser cannot store is reported', async () => {
  store.fails = (mode, didReadAll) => mode === 'readwrite' && !didReadAll
  await assert.rejects(drafts().keep(made('lost')), /was not stored/)
})
