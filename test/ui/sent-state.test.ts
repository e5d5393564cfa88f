// What the page of a link that takes files in says of those that failed, and which of them can be sent again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '../../src-ui/api/http.ts'
import { askReceipt } from '../../src-ui/request-page/ask-receipt.ts'
import { ownRefusalOf } from '../../src-ui/request-page/own-refusal.ts'
import type { OpenRequest } from '../../src-ui/request-page/request-state.ts'
import { mayTryAgain, stateOf } from '../../src-ui/request-page/sent-state.ts'

const open: OpenRequest = {
  ...{ kind: 'open', title: 'Photos', text: '', expire: 0, mostFileBytes: 2, asksName: false, hasFolders: true },
  ...{ sent: [], sentCount: 0, receipts: [], unfinished: [] },
}

test('a file that is too large says so with the limit that it met, whatever the link is now', () => {
  const failure = ownRefusalOf({ name: 'a', size: 3 }, open)
  assert.equal(stateOf({ phase: 'failed', size: 3, loaded: 0, failure }), 'Too large: 3 bytes, and 2 bytes is the most.')
})

test('a file that failed can be sent again while the link takes files in, and not one that the page refuses itself', () => {
  const failed = { phase: 'failed', failure: new HttpFailure(403, '') } as const
  assert.ok(mayTryAgain(failed, { open }))
  assert.ok(mayTryAgain({ ...failed, failure: new Error('it cannot be read') }, { open }))
  assert.ok(!mayTryAgain({ ...failed, failure: 'closed' }, { open }))
  assert.ok(!mayTryAgain({ ...failed, failure: ownRefusalOf({ name: 'a', size: 3 }, open) }, { open }))
  assert.ok(!mayTryAgain(failed, { open: undefined }))
})

test('a receipt is asked for again until there is an answer, and not after one that refuses it', async () => {
  const given = { number: '1', at: 0, title: 'Photos', files: [] }
  /** @param statuses of the answers before a receipt; 0 is none */
  const asked = async (statuses: number[], ...isShown: boolean[]) => {
    let [asks, pauses] = [0, 0]
    const make = async () => {
      const status = statuses[asks++]
      if (status === undefined) return given
      throw status === 0 ? new TypeError('Failed to fetch') : new HttpFailure(status, '')
    }
    const pause = async () => void pauses++
    const receipt = await askReceipt({ make, pause, showRefused: async () => isShown.shift() ?? false })
    return [receipt, asks, pauses]
  }
  assert.deepEqual(await asked([0, 500, 503, 429, 408]), [given, 6, 5])
  for (const status of [401, 404, 409, 410]) assert.deepEqual(await asked([status], true), [undefined, 1, 0])
  // Nothing answers when the page asks what the link is now.
  assert.deepEqual(await asked([410, 410], false, true), [undefined, 2, 1])
})
