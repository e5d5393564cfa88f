// Work of a person that goes on without a session ends when the person's access does.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Ends } from '../../src-server/base/ends.ts'
import { Operation } from '../../src-server/base/operation.ts'
import { AccessRevocation, accessOf, withdrawn } from '../../src-server/users/access-revocation.ts'
import { here, startAnn } from '../support/start-ann.ts'
import { deny, only } from '../support/start-app.ts'
import { changeUser, userIn } from '../support/start-state.ts'

async function hold(t: TestContext) {
  const people = await startAnn(t)
  const { state, clock } = people
  const revocation = new AccessRevocation({ state, clock, ends: new Ends(clock) })
  const ann = () => userIn(state, 'ann') ?? assert.fail()
  const begun = accessOf(ann())
  const operation = new Operation()
  t.after(() => operation.end())
  const now = await revocation.holdPerson(begun, operation)
  return { ...people, revocation, begun, operation, now, present: ann }
}

type Held = Awaited<ReturnType<typeof hold>>

const ends: Record<string, (held: Held) => Promise<unknown>> = {
  'the person is deleted': ({ accounts, ann }) => accounts.remove(ann.id),
  'the scope changes': (held) =>
    changeUser(held, held.ann.id, (user) => {
      user.scope = '/elsewhere'
    }),
  'the password changes': ({ accounts, ann }) => accounts.changePassword(ann.id, 'another long password'),
  'the password changes, with a session that is kept': async ({ accounts, signIn, ann }) => {
    const { token } = await signIn.login(here)
    await accounts.changePassword(ann.id, 'another long password', (await signIn.identify(token))?.session.id)
  },
  'the person signs out everywhere': ({ accounts, ann }) => accounts.signOutEverywhere(ann.id),
  'the person signs out everywhere else': async ({ accounts, signIn, ann }) => {
    const { token } = await signIn.login(here)
    await accounts.signOutEverywhere(ann.id, (await signIn.identify(token))?.session.id)
  },
}

for (const [what, end] of Object.entries(ends)) {
  test(`it ends in less than a second when ${what}, and does not begin again`, async (t) => {
    const held = await hold(t)
    await held.accounts.create({ username: 'root', password: 'a long and easy password', perm: only('admin') })
    assert.equal(held.operation.signal.aborted, false)
    const began = performance.now()
    await end(held)
    assert.equal(held.operation.signal.reason, withdrawn)
    assert.ok(performance.now() - began < 1000)
    assert.throws(held.now, { code: 'unauthorized' })
    const again = new Operation()
    await assert.rejects(held.revocation.holdPerson(held.begun, again), { code: 'unauthorized' })
    await again.end()
  })
}

test('it goes on when a session ends by itself or by its person, or a right is withdrawn, and sees what is left', async (t) => {
  const held = await hold(t)
  const { signIn, clock, ann, state, operation, now } = held
  const { token } = await signIn.login(here)
  await signIn.logout((await signIn.identify(token)) ?? assert.fail())
  clock.advance({ days: 31 })
  await signIn.login(here)
  await changeUser(held, ann.id, (user) => {
    user.perm = only('download')
    user.rules = [deny('/d')]
  })
  await state.change('other', (draft) => {
    draft.settings = { ...draft.settings, rules: [deny('/e')] }
  })
  assert.equal(operation.signal.aborted, false)
  assert.deepEqual([now().user.perm, now().user.rules], [only('download'), [deny('/d')]])
  assert.deepEqual(now().settings.rules, [deny('/e')])
  assert.equal(now().user, held.present())
})

test('what is withdrawn while the access is read is noticed', async (t) => {
  const { state, clock, accounts, ann } = await startAnn(t)
  await accounts.create({ username: 'root', password: 'a long and easy password', perm: only('admin') })
  const slow = {
    feed: state.feed,
    session: (id: string) => state.session(id),
    account: async (id: number) => {
      const view = await state.account(id)
      await accounts.signOutEverywhere(ann.id)
      return view
    },
  }
  const revocation = new AccessRevocation({ state: slow, clock, ends: new Ends(clock) })
  const operation = new Operation()
  await assert.rejects(revocation.holdPerson(accessOf(ann), operation), { code: 'unauthorized' })
  await operation.end()
})
