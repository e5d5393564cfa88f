// A drop that is stopped, so that what has arrived of it can be undone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signal } from '@preact/signals-core'
import { user } from '../../src-ui/core/session.ts'
import { Workspace } from '../../src-ui/core/workspace.ts'
import { stopAct } from '../../src-ui/uploads/ongoing-uploads.ts'
import type { Transport } from '../../src-ui/uploads/upload-jobs.ts'
import { type UploadPage, Uploads } from '../../src-ui/uploads/uploads.ts'
import { settled } from './folder-of.ts'

/** A page whose server the test controls. */
function start() {
  const life = new Workspace(user)
  const ends = new Map<string, () => void>()
  const aborted: string[] = []
  const send: Transport = ({ path, size }, on) =>
    new Promise((resolve, reject) => {
      ends.set(path, resolve)
      on.signal.addEventListener('abort', () => {
        aborted.push(path)
        reject(on.signal.reason)
      })
      on.progress(path.endsWith('large') ? 1 : size)
    })
  const page: UploadPage = {
    life,
    notices: { succeed: () => 1, fail: () => 1, dismiss: () => {} },
    existingIn: () => async () => new Map(),
    find: async () => undefined,
    ask: () => ({ withdraw: () => {} }),
    noteArrival: () => {},
    removed: () => {},
    ended: () => {},
  }
  return { uploads: new Uploads(page, send, signal(false)), ends, aborted, life }
}

test('what the server may have by now is waited for, and nothing else of the drop is sent', async () => {
  const { uploads, ends, aborted, life } = start()
  try {
    const names = ['whole', 'large', 'c', 'd', 'e', 'waiting']
    const file = (name: string) => ({ path: name, file: new File([new Uint8Array(name === 'large' ? 1 << 20 : 10)], name) })
    const dropped = uploads.uploadDropped('/d', [names.map(file)])
    await settled()
    for (const name of ['c', 'd', 'e']) ends.get(`/d/${name}`)?.()
    uploads.isPaused.value = true
    await settled()
    const [act = ''] = uploads.openActs()
    let isStopped = false
    const stopped = stopAct(uploads, act).then(() => {
      isStopped = true
    })
    await settled()
    assert.deepEqual([aborted.filter((path) => path === '/d/whole'), isStopped], [[], false])
    assert.ok(aborted.includes('/d/large'))
    for (const end of ends.values()) end()
    await stopped
    await dropped
    assert.deepEqual(uploads.openActs(), [])
  } finally {
    life.dispose()
  }
})

test('a connection that is dead without a sign is not waited for', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { uploads, aborted, life } = start()
  try {
    const dropped = uploads.uploadDropped('/d', [[{ path: 'whole', file: new File([new Uint8Array(10)], 'whole') }]])
    await settled()
    const [act = ''] = uploads.openActs()
    const stopped = stopAct(uploads, act)
    await settled()
    context.mock.timers.tick(5000)
    await stopped
    await dropped
    assert.deepEqual([aborted, uploads.openActs()], [['/d/whole'], []])
  } finally {
    life.dispose()
  }
})
