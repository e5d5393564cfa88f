// Who is told of a history, and until when.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessParts } from '../../src-server/access-services.ts'
import { Operation } from '../../src-server/base/operation.ts'

test('a page that left before it was told of the history is not told of it for ever', async () => {
  let following = 0
  const history = {
    follow: () => {
      following += 1
      return () => {
        following -= 1
      }
    },
  }
  const revocation = { follow: async () => () => undefined }
  const given = { options: { trustedProxies: [] }, state: { instance: 'x' }, history, revocation }
  const { person } = accessParts(given as unknown as Parameters<typeof accessParts>[0])
  const operation = new Operation()
  operation.abort()
  const caller = { me: { user: { id: 1 } }, operation, source: {} } as unknown as Parameters<typeof person.follow>[0]
  await person.follow(caller)(() => {})
  await operation.end()
  assert.equal(following, 0)
})
