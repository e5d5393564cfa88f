// Logs: files of lines that only grow.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { downloadLog } from '../../src-server/state/download-log.ts'
import { Log } from '../../src-server/state/log.ts'
import { TemporaryJournal } from '../../src-server/state/temporary-journal.ts'
import { FaultyDisk } from '../support/faulty-disk.ts'
import { temporaryFolder } from '../support/start-state.ts'

const isText = (value: unknown) => typeof value === 'string'

function startLog(t: TestContext) {
  const folder = join(temporaryFolder(t), 'state')
  mkdirSync(folder)
  const disk = new FaultyDisk(folder)
  t.after(() => disk.close())
  const file = join(folder, 'log')
  return { folder, file, disk, log: new Log<string>(file, { isEntry: isText, system: disk.system }) }
}

/** The entries of a file, as the next start reads them. */
const readAgain = (file: string) => new Log<string>(file, { isEntry: isText }).read()

test('the logs of earlier releases are opened unchanged, and go on', async (t) => {
  const stateFile = join(temporaryFolder(t), 'holdall.json')
  const counts = [
    { hash: 'a', add: 1, at: 1_700_000_000, by: 'b', from: 'c' },
    { hash: 'a', add: -1, by: 'b' },
  ]
  // A newline before each line, none after the last; a folder in each line, with a newline after it.
  writeFileSync(`${stateFile}.downloads`, counts.map((count) => `\n${JSON.stringify(count)}`).join(''))
  writeFileSync(`${stateFile}.temporary-folders`, '"/a\\nb"\n"/c"\n')
  const [log, journal] = [downloadLog(stateFile), new TemporaryJournal(stateFile)]
  assert.deepEqual(log.read(), counts)
  assert.deepEqual(journal.folders(), ['/a\nb', '/c'])
  await log.append({ hash: 'd', add: 1 }, true)
  await journal.note('/e')
  assert.deepEqual(downloadLog(stateFile).read(), [...counts, { hash: 'd', add: 1 }])
  assert.deepEqual(new TemporaryJournal(stateFile).folders(), ['/a\nb', '/c', '/e'])
  await Promise.all([log.close(), journal.close()])
})

test('a line that a power failure has torn is left out, and takes no other with it', async (t) => {
  const stateFile = join(temporaryFolder(t), 'holdall.json')
  writeFileSync(`${stateFile}.temporary-folders`, '"/a"\n"/to')
  const journal = new TemporaryJournal(stateFile)
  assert.deepEqual(journal.folders(), ['/a'])
  await journal.note('/b')
  await journal.close()
  assert.deepEqual(new TemporaryJournal(stateFile).folders(), ['/a', '/b'])
})

test('what cannot be read as a log is named in one sentence, and stays as it is', (t) => {
  const stateFile = join(temporaryFolder(t), 'holdall.json')
  const file = `${stateFile}.downloads`
  mkdirSync(file)
  const refused = { name: 'StartupError', message: /holdall\.json\.downloads cannot be read \(EISDIR.*\): make it a file/ }
  assert.throws(() => downloadLog(stateFile).read(), refused)
  rmdirSync(file)
  // Longer than a text can be; it takes no room.
  writeFileSync(file, '')
  truncateSync(file, 2 ** 30)
  assert.throws(() => downloadLog(stateFile).read(), {
    name: 'StartupError',
    message: /downloads cannot be read \(1073741824 bytes/,
  })
  assert.equal(statSync(file).size, 2 ** 30)
})

test('a durable entry survives a power cut at any step, and a step that fails leaves all or nothing', async (t) => {
  for (const survives of ['nothing', 'names'] as const) {
    for (let step = 0, isDone = false; !isDone; step++) {
      const { disk, log } = startLog(t)
      await log.append('first', true)
      disk.crashAt(disk.calls.length + step)
      isDone = await log.append('second', true).then(
        () => true,
        () => false,
      )
      const left = join(temporaryFolder(t), 'left')
      disk.afterPowerCut(left, survives)
      const found = readAgain(join(left, 'log'))
      assert.deepEqual(found[0], 'first', `${survives} ${step}`)
      if (isDone) assert.deepEqual(found, ['first', 'second'])
    }
  }
  for (let step = 0, isDone = false; !isDone; step++) {
    const { disk, log, file } = startLog(t)
    disk.failAt(step, 'ENOSPC')
    isDone = await log.append('first', true).then(
      () => true,
      () => false,
    )
    if (!isDone) await log.append('next', true)
    assert.deepEqual(readAgain(file), [isDone ? 'first' : 'next'], `step ${step}`)
  }
})

test('entries that are added at once share one write and one sync, in their order', async (t) => {
  const { disk, log, file } = startLog(t)
  await Promise.all(['a', 'b', 'c'].map((text, index) => log.append(text, index === 1)))
  assert.deepEqual(disk.calls, ['open log', 'write log', 'sync log', 'open .', 'sync .', 'close .'])
  await log.append('d', true)
  assert.deepEqual(disk.calls.slice(6), ['write log', 'sync log'])
  assert.deepEqual(readAgain(file), ['a', 'b', 'c', 'd'])
})

test('what replaces all entries comes between those before and those after it', async (t) => {
  const { disk, log, file } = startLog(t)
  const done = [log.append('before'), log.replace(['sum']), log.append('after', true)]
  await Promise.all(done)
  assert.deepEqual(readAgain(file), ['sum', 'after'])
  await log.close()
  assert.ok(disk.calls.every((call) => !call.startsWith('truncate')))
})

test('after a replacement whose folder could not be synced, the next durable entry syncs it', async (t) => {
  const { folder, disk, log } = startLog(t)
  await log.append('old', true)
  const { length } = disk.calls
  // close, open, write, sync, close, rename, open of the folder, its sync.
  disk.failAt(length + 7, 'EIO')
  await assert.rejects(log.replace(['sum']))
  assert.equal(disk.calls[length + 7], 'sync .')
  await log.append('next', true)
  const left = join(folder, '..', 'left')
  disk.afterPowerCut(left, 'nothing')
  assert.deepEqual(readAgain(join(left, 'log')), ['sum', 'next'])
})

test('a log is readable by its owner alone, and neither read nor written through a link', async (t) => {
  const folder = temporaryFolder(t)
  const [file, other] = [join(folder, 'log'), join(folder, 'other')]
  symlinkSync(other, file)
  const log = new Log<string>(file, { isEntry: isText })
  await assert.rejects(log.append('a'), { code: 'ELOOP' })
  assert.throws(() => log.read(), { name: 'StartupError', message: /ELOOP/ })
  assert.equal(existsSync(other), false)
  await log.replace(['b'])
  await log.append('c')
  assert.equal(readFileSync(file, 'utf8'), '"b"\n"c"\n')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  await log.close()
})
