// Lines of a long log are read by their places.
import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Log } from '../../src-server/state/log.ts'
import { entriesAt, type PlacedEntry, placedEntries } from '../../src-server/state/placed-lines.ts'

type Entry = { text: string }
const isEntry = (value: unknown): value is Entry => typeof (value as Entry | undefined)?.text === 'string'

function fileFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdall-lines-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'a.jsonl')
}

async function readAll(file: string): Promise<PlacedEntry<Entry>[]> {
  const all: PlacedEntry<Entry>[] = []
  for await (const some of placedEntries(file, isEntry)) all.push(...some)
  return all
}

test('a line that was added is where the log says, after a torn one and longer than what is read at a time', async (t) => {
  const file = fileFor(t)
  const texts = ['ü', 'x'.repeat(300_000), '', ...Array.from({ length: 2000 }, (_, count) => `${count}`.repeat(100)), 'last']
  appendFileSync(file, '\n{"text":"torn')
  const log = new Log<Entry>(file, { isEntry })
  const places = await Promise.all(texts.map((text, index) => log.appendPlaced({ text }, index % 2 === 0)))
  await log.close()
  assert.deepEqual(
    await readAll(file),
    texts.map((text, index) => ({ entry: { text }, place: places[index] })),
  )
  const some = [2, 1, 0, 1500, 7, 2003].map((index) => ({ place: places[index] as (typeof places)[number], text: texts[index] }))
  assert.deepEqual(
    await entriesAt(
      file,
      some.map(({ place }) => place),
      isEntry,
    ),
    some.map(({ text }) => ({ text })),
  )
})

test('no log has no lines, and a place without one is an error', async (t) => {
  const file = fileFor(t)
  assert.deepEqual([await readAll(file), await entriesAt(file, [], isEntry)], [[], []])
  appendFileSync(file, '{"text":"a"}\nno json\n{"text":"b"}')
  assert.deepEqual(
    (await readAll(file)).map(({ entry }) => entry.text),
    ['a', 'b'],
  )
  await assert.rejects(entriesAt(file, [{ start: 13, length: 7 }], isEntry), /no entry/)
})
