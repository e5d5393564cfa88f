// The files that somebody sends by a link: three at once, again after a lost connection, and not after the end of the link.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '../../src-ui/api/http.ts'
import { type SendHow, type SentFile, SentFiles } from '../../src-ui/request-page/sent-files.ts'
import { stateOf } from '../../src-ui/request-page/sent-state.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

function start({ refuse = () => undefined as unknown } = {}) {
  const running: { file: SentFile; how: SendHow; end(failure?: unknown): void }[] = []
  const refusals: number[] = []
  const dropped: string[] = []
  let back: (() => void) | undefined
  const pending = new Set<() => void>()
  const waits: (number | undefined)[] = []
  const files = new SentFiles({
    send: (file, how) =>
      new Promise((resolve, reject) => {
        how.signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
        running.push({ file, how, end: (failure) => (failure === undefined ? resolve() : reject(failure)) })
      }),
    drop: ({ name }) => dropped.push(name),
    refusalOf: refuse,
    onRefused: (status) => refusals.push(status),
    wait: (again, seconds) => {
      waits.push(seconds)
      back = again
      const pass = () => pending.delete(pass) && again()
      pending.add(pass)
      return () => {
        pending.delete(pass)
        back = undefined
      }
    },
    now: () => 0,
    later: (work) => work(),
  })
  const add = (...names: string[]) => files.add(names.map((name) => ({ path: name, file: new File(['abc'], name) })))
  const phases = () => files.all.value.map(({ phase }) => phase)
  return { files, add, running, refusals, dropped, phases, waits, pending, back: () => back?.() }
}

test('nothing is sent before it begins, and then three at once', async () => {
  const { files, add, running, phases } = start()
  add('a', 'b', 'c', 'd')
  assert.equal(running.length, 0)
  files.begin()
  assert.deepEqual(phases(), ['sending', 'sending', 'sending', 'waiting'])
  running[1]?.end()
  await turn()
  assert.deepEqual(phases(), ['sending', 'done', 'sending', 'sending'])
  running[0]?.how.onProgress(2)
  const { size, loaded, open, done } = files.totals.value
  assert.deepEqual([size, loaded, open, done], [12, 5, 3, 1])
})

test('what the page refuses itself is not sent', () => {
  const { files, add, running, phases } = start({ refuse: () => 'kind' })
  add('a.exe')
  files.begin()
  assert.deepEqual([phases(), running.length], [['failed'], 0])
})

test('what was dropped and cannot be read is listed as not sent, and an empty folder not at all', () => {
  const { files, running } = start()
  files.add([{ path: 'box' }, { path: 'box/secret', unreadable: true }, { path: 'box/a', file: new File([], 'a') }])
  files.begin()
  assert.deepEqual(
    files.all.value.map(({ name, phase, failure }) => [name, phase, failure]),
    [
      ['box/secret', 'failed', 'unreadable'],
      ['box/a', 'sending', undefined],
    ],
  )
  assert.equal(running.length, 1)
})

test('after a lost connection all wait for the server, and go on', async () => {
  const { files, add, running, phases, back } = start()
  add('a', 'b', 'c', 'd')
  files.begin()
  running[0]?.end(new HttpFailure(0, 'lost'))
  running[1]?.end(new HttpFailure(502, 'away'))
  await turn()
  assert.deepEqual(phases(), ['away', 'away', 'sending', 'waiting'])
  assert.equal(running.length, 3)
  back()
  assert.deepEqual(phases(), ['sending', 'sending', 'sending', 'waiting'])
})

test('a file that the server cannot take now holds no place of others, and is sent again when the server says so', async () => {
  const { files, add, running, phases, waits, pending } = start()
  add('a', 'b', 'c', 'd', 'e')
  files.begin()
  for (const at of [0, 1, 2]) running[at]?.end(new HttpFailure(503, 'busy', at === 0 ? { retryAfter: 7 } : {}))
  await turn()
  assert.deepEqual(
    [phases(), waits],
    [
      ['away', 'away', 'away', 'sending', 'sending'],
      [7, 10, 10],
    ],
  )
  const [first] = files.all.value
  assert.equal(first && stateOf(first), 'The server is busy: it goes on by itself.')
  assert.equal(files.totals.value.isAway, false)
  const [pass] = pending
  pass?.()
  assert.deepEqual(phases(), ['sending', 'away', 'away', 'sending', 'sending'])
  running[3]?.end()
  running[4]?.end()
  running[5]?.end()
  await turn()
  assert.deepEqual([phases(), files.totals.value.isAway], [['done', 'away', 'away', 'done', 'done'], true])
  for (const one of [...pending]) one()
  assert.deepEqual(phases().slice(1, 3), ['sending', 'sending'])
})

test('a server that takes no file at all is left alone for the time', async () => {
  const { files, add, running, waits, back } = start()
  add(...Array.from({ length: 14 }, (_, count) => `${count}`))
  files.begin()
  for (let at = 0; at < 12; at++) {
    running[at]?.end(new HttpFailure(503, 'busy', { retryAfter: 5 }))
    await turn()
  }
  // The three that were on their way when the tenth came back are the last.
  assert.deepEqual([running.length, waits.length], [12, 10])
  back()
  // What was not tried comes first.
  assert.deepEqual(
    running.slice(12).map(({ file }) => file.name),
    ['12', '13', '9'],
  )
})

test('a cancelled file waits no more', async () => {
  const { files, add, running, pending } = start()
  add('a', 'b')
  files.begin()
  running[0]?.end(new HttpFailure(503, 'busy'))
  await turn()
  assert.equal(pending.size, 1)
  files.cancel(files.all.value[0]?.id ?? 0)
  assert.equal(pending.size, 0)
})

test('when too much has come all wait for as long as the server says, and go on', async () => {
  const { files, add, running, phases, waits, back } = start()
  add('a', 'b', 'c', 'd')
  files.begin()
  const refusal = new HttpFailure(429, 'too much', { retryAfter: 7 })
  running[0]?.end(refusal)
  running[1]?.end(new HttpFailure(429, 'too much'))
  await turn()
  assert.deepEqual([phases(), waits, files.totals.value.isAway], [['away', 'away', 'sending', 'waiting'], [7], true])
  const [first] = files.all.value
  assert.equal(first && stateOf(first), 'Too much has come just now: it goes on by itself.')
  back()
  assert.deepEqual([phases(), first?.failure], [['sending', 'sending', 'sending', 'waiting'], undefined])
  running[3]?.end(new HttpFailure(429, 'too much'))
  await turn()
  assert.deepEqual(waits, [7, 60])
})

test('a page that begins anew does not wait for what was sent before', async () => {
  const { files, add, running, phases } = start()
  add('a')
  files.begin()
  running[0]?.end(new HttpFailure(429, 'too much', { retryAfter: 3600 }))
  await turn()
  files.clear()
  add('b')
  files.begin()
  assert.deepEqual(phases(), ['sending'])
})

test('at the end of the link everything stops, and is told once', async () => {
  const { files, add, running, refusals, phases } = start()
  add('a', 'b', 'c', 'd')
  files.begin()
  running[0]?.end(new HttpFailure(410, 'closed'))
  running[1]?.end(new HttpFailure(410, 'closed'))
  await turn()
  assert.deepEqual(refusals, [410])
  assert.deepEqual(phases(), ['waiting', 'waiting', 'waiting', 'waiting'])
  files.begin()
  assert.deepEqual(phases(), ['sending', 'sending', 'sending', 'waiting'])
})

test('a file that has made way for others says nothing of the link', async () => {
  const { files, add, running, refusals, phases } = start()
  add('a', 'b')
  files.begin()
  const refusal = { code: 'uploadMadeWay', params: {} } as const
  running[0]?.end(new HttpFailure(410, '', { refusal }))
  await turn()
  assert.deepEqual(refusals, [])
  assert.deepEqual(phases(), ['failed', 'sending'])
})

test('a file that has made way for others waits for a place, and one that never had one does not', async () => {
  const { files, add, running, phases, waits, pending } = start()
  add('a', 'b')
  files.begin()
  const full = () => new HttpFailure(507, 'full', { refusal: { code: 'noMoreTaken', params: {} } })
  Object.assign(running[0]?.file ?? {}, { hasMadeWay: true })
  for (const one of [...running]) one.end(full())
  await turn()
  assert.deepEqual([phases(), waits], [['away', 'failed'], [10]])
  const [first] = files.all.value
  assert.equal(first && stateOf(first), 'The server is busy: it goes on by itself.')
  const [pass] = pending
  pass?.()
  assert.deepEqual(phases(), ['sending', 'failed'])
  running[2]?.end()
  await turn()
  assert.deepEqual(phases(), ['done', 'failed'])
})

test('what has not arrived before the end of the link is listed as not sent', async () => {
  const { files, add, running, phases } = start()
  add('a', 'b', 'c', 'd', 'e')
  files.begin()
  running[0]?.end()
  await turn()
  files.giveUp('closed')
  await turn()
  assert.deepEqual(phases(), ['done', 'failed', 'failed', 'failed', 'failed'])
  assert.deepEqual(
    files.all.value.map(({ failure }) => failure),
    [undefined, 'closed', 'closed', 'closed', 'closed'],
  )
  assert.equal(files.totals.value.open, 0)
})

test('what is refused says why, and can be tried again; what is cancelled is dropped', async () => {
  const { files, add, running, dropped, phases } = start()
  add('a', 'b')
  files.begin()
  const refusal = new HttpFailure(403, 'no')
  running[0]?.end(refusal)
  await turn()
  const [failed, other] = files.all.value
  assert.deepEqual([failed?.phase, failed?.failure], ['failed', refusal])
  files.retry(failed?.id ?? 0)
  assert.deepEqual(phases(), ['sending', 'sending'])
  files.cancel(other?.id ?? 0)
  await turn()
  assert.deepEqual(dropped, ['b'])
  files.cancelAll()
  await turn()
  assert.deepEqual([phases(), dropped], [[], ['b', 'a']])
})
