// What is withdrawn while a call waits for a password, or a socket for its first message.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { Passwords } from '../../src-server/users/passwords.ts'
import { openCommand } from '../support/command-client.ts'
import { askShare, share } from '../support/share-calls.ts'
import { startApp } from '../support/start-app.ts'
import { changeUser, cheapCost, userIn } from '../support/start-state.ts'
import { until } from '../support/until.ts'

/** Does something once a password was hashed, and before whoever asked has the hash. */
class SlowPasswords extends Passwords {
  meanwhile: () => Promise<unknown> = async () => {}

  override async hash(...asked: Parameters<Passwords['hash']>): Promise<string> {
    const hash = await super.hash(...asked)
    await this.meanwhile()
    return hash
  }

  override beside(): Passwords {
    return this
  }
}

describe('when a session ends while the password of a link is hashed', () => {
  for (const [what, call] of [
    ['no link is made', 'share'],
    ['no link is changed', 'shareChange'],
  ] as const) {
    test(what, async (t) => {
      const passwords = new SlowPasswords({ cost: cheapCost })
      const app = await startApp(t, { files: { 'a.txt': '', 'b.txt': '' }, services: { passwords } })
      const ann = await app.as('ann')
      const { hash } = await share(ann, '/a.txt', { password: 'the first password' })
      const { state, accounts } = app.parts
      const { links } = state.data
      passwords.meanwhile = () => accounts.signOutEverywhere(userIn(state, 'ann')?.id ?? 0)
      const body = { password: 'another password' }
      const asked =
        call === 'share' ? askShare(ann, '/b.txt', body) : ann.ask('PATCH', `/api/share/${hash}`, { body: JSON.stringify(body) })
      await asked.catch(() => {})
      await until(() => app.events.some((text) => text === `failed ${call}`), 'it has failed')
      assert.deepEqual(state.data.links, links)
    })
  }
})

test('a socket that was opened before a command was withdrawn does not run it', async (t) => {
  const app = await startApp(t, {
    users: { ann: { perm: allPermissions } },
    options: { enableExec: true, execUnconfined: true },
  })
  const list = (commands: readonly string[]) =>
    changeUser(app.parts, userIn(app.parts.state, 'ann')?.id ?? 0, (user) => {
      user.commands = commands
    })
  await list(['echo'])
  const client = await openCommand(app, (await app.as('ann')).token)
  await list(['cat'])
  client.send('echo ran')
  await client.closed
  assert.doesNotMatch(client.texts.join(), /ran/)
})
