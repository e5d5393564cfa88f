// Names in archives that are not UTF-8: a person says what they are.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import iconv from 'iconv-lite'
import { paxOf, tarOf } from '../support/attack-tar.ts'
import { zipOf } from '../support/attack-zip.ts'
import { jobCalls } from '../support/job-calls.ts'
import { startApp } from '../support/start-app.ts'
import { harvest } from '../support/tree.ts'

async function start(t: TestContext) {
  const app = await startApp(t, { files: { 't/': '' } })
  const ann = await app.as('ann')
  const jobs = jobCalls(ann)
  const extract = async (archive: Uint8Array, names?: string) => {
    await writeFile(join(app.root, 'old'), archive)
    const { job } = await jobs.start({ kind: 'extract', entries: ['/old'], to: '/t', ...(names !== undefined && { names }) })
    return job.failures[0]?.refusal
  }
  const below = async () => Object.keys(await harvest(join(app.root, 't')))
  return { ann, extract, below }
}

const long = '表示ソース.txt'
const texts = [
  ['cp437', 'cp437', ['Größe.txt', 'été']],
  ['shift_jis', 'shift_jis', [long, 'フォルダー']],
  ['gbk', 'gbk', ['联通.txt', '文件夹']],
  ['windows-1251', 'win1251', ['Договор.txt', 'папка']],
] as const

for (const [names, its, [file, folder]] of texts) {
  test(`names in ${names} are asked about, and come out as they were`, async (t) => {
    const { extract, below } = await start(t)
    const bytes = (name: string) => iconv.encode(name, its)
    const parts = [
      { name: bytes(`${folder}/${file}`), content: 'A' },
      { name: 'ascii', content: 'B' },
    ]
    for (const [index, archive] of [zipOf(parts.map((part) => ({ ...part, host: 0 }))), tarOf(parts)].entries()) {
      const refusal = await extract(archive)
      assert.equal(refusal?.code, 'archiveNotUtf8')
      assert.equal(refusal?.params[names], `${folder}/${file}`)
      assert.equal(index > 0 || (await below()).length === 0, true)
      assert.equal(await extract(archive, names), undefined)
      const base = index === 0 ? 'old' : 'old(1)'
      assert.deepEqual(
        (await below()).filter((path) => path.startsWith(`${base}/`)).sort(),
        [`${base}/ascii`, `${base}/${folder}/${file}`].sort(),
      )
    }
  })
}

test('what is likely is said, and what cannot be is not offered', async (t) => {
  const { extract } = await start(t)
  const likely = [
    ...[['windows-1251', 'win1251', 'Договор о поставке.txt'] as const, ['windows-1251', 'win1251', 'папка/файл'] as const],
    ...[['shift_jis', 'shift_jis', long] as const, ['shift_jis', 'shift_jis', '表示'] as const],
    ...[['gbk', 'gbk', '文件夹/说明.txt'] as const, ['cp437', 'cp437', 'Größe.txt'] as const],
  ]
  for (const [names, its, name] of likely)
    assert.equal((await extract(tarOf([{ name: iconv.encode(name, its) }])))?.params.likely, names, name)
  // No character of Shift_JIS or GBK begins so.
  const refusal = await extract(tarOf([{ name: Buffer.from('a\xff', 'latin1') }]))
  assert.deepEqual(
    Object.keys(refusal?.params ?? {}).filter((one) => one !== 'likely'),
    ['cp437', 'windows-1251'],
  )
})

test('names that are said to be UTF-8 stay so, and the checks come after the choice', async (t) => {
  const { ann, extract, below } = await start(t)
  const other = { name: iconv.encode('ü', 'cp437'), content: 'A' }
  assert.equal(await extract(zipOf([other, { name: 'é', flags: 0x800, content: 'B' }]), 'cp437'), undefined)
  assert.deepEqual((await below()).sort(), ['old/é', 'old/ü'].sort())
  assert.equal((await extract(zipOf([other, { name: Buffer.from('../x') }]), 'cp437'))?.code, 'archiveLeaves')
  const wrong = Buffer.from('a\xff', 'latin1')
  assert.equal((await extract(tarOf([paxOf({ path: wrong }), { name: 'x' }]), 'gbk'))?.code, 'archiveName')
  const body = { id: 'an-unknown-choice', kind: 'extract', entries: ['/old'], to: '/t', names: 'latin1' }
  const answer = await ann.ask('POST', '/api/jobs', { body: JSON.stringify(body) })
  assert.deepEqual([answer.status, /names is one of cp437/.test(await answer.text())], [400, true])
})
