// kill -9 of the server while archives are made and extracted: after each start an archive, or what is extracted, is there whole or not at
// all, and nothing hidden is left. HOLDALL_TEST_SEED repeats the random choices of a run.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { JobDetails } from '../../src-server/contract/jobs.ts'
import { asPrincipal } from '../support/as-principal.ts'
import { tarOf } from '../support/attack-tar.ts'
import { zipOf } from '../support/attack-zip.ts'
import { byScale, seed } from '../support/scale.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { findProgram, startProgram } from '../support/server-program.ts'
import { listening } from '../support/start-executable.ts'
import { temporaryFolder } from '../support/start-state.ts'
import { until } from '../support/until.ts'

/** When the server is killed: as soon as there is something hidden, when some files are in it, and when it has its name. */
const moments = ['begun', 'filled', 'named'] as const
const kills = byScale({ usual: 3, long: 20, full: 200 })
const fileCount = 150
const parts = Array.from({ length: fileCount }, (_, index) => ({
  name: `${index % 10}/${index}`,
  content: `${index} `.repeat(2000),
}))
const archives = { zip: zipOf(parts), tar: tarOf(parts), 'tar.gz': gzipSync(tarOf(parts)) }

test(`${kills} kills leave what is extracted or made of archives whole, or nothing of it (seed ${seed})`, {
  timeout: byScale({ usual: 2, long: 10, full: 60 }) * 60_000,
}, async (t) => {
  const program = await findProgram()
  const random = new SeededRandom(seed)
  const folder = temporaryFolder(t)
  const files = join(folder, 'files')
  mkdirSync(join(files, 't'), { recursive: true })
  for (const [ending, archive] of Object.entries(archives)) writeFileSync(join(files, `old.${ending}`), archive)
  let [broken, whole] = [0, 0]
  // Until both were seen, however fast the machine is.
  for (let index = 0, isLast = false; !isLast; index++) {
    isLast = index >= kills && broken > 0 && whole > 0
    const server = await start(t, program, folder)
    // What was begun before is taken away by the start.
    await until(
      () => hiddenIn(files).length === 0,
      () => `${hiddenIn(files)} are gone`,
    )
    const left = readdirSync(join(files, 't')).filter((name) => !name.startsWith('.holdall'))
    for (const name of left) {
      const isArchive = name.endsWith('.zip')
      if (!isArchive) assert.equal(filesIn(join(files, 't', name)), fileCount, `${name} is whole`)
      whole++
    }
    broken += index > 0 && left.length === 0 ? 1 : 0
    for (const name of left) rmSync(join(files, 't', name), { recursive: true })
    if (isLast) {
      const compressed = await server.job(`the-last-archive`, {
        kind: 'compress',
        entries: ['/old.zip'],
        name: 'a.zip',
        format: 'zip',
      })
      assert.deepEqual(compressed.failures, [])
    } else {
      const ending = Object.keys(archives)[random.below(3)]
      const asked =
        index % 4 === 3
          ? { kind: 'compress', entries: ['/old.tar'], name: 'a.zip', format: 'zip' }
          : { kind: 'extract', entries: [`/old.${ending}`] }
      void server.job(`a-job-of-archives-${index}`, asked).catch(() => undefined)
      await seen(join(files, 't'), moments[index % moments.length] ?? 'begun', random)
    }
    await server.kill()
  }
  t.diagnostic(JSON.stringify({ broken, whole }))
})

/** Waits for what is seen in the folder itself, and so for no time. */
async function seen(folder: string, moment: (typeof moments)[number], random: SeededRandom): Promise<void> {
  const files = moment === 'filled' ? random.below(fileCount) : 0
  const isSeen = () => {
    const names = readdirSync(folder)
    const hidden = names.find((name) => name.startsWith('.holdall'))
    if (names.some((name) => !name.startsWith('.holdall'))) return true
    // An archive that is made is one file.
    return (
      moment !== 'named' &&
      hidden !== undefined &&
      (files === 0 || hidden.endsWith('.archive') || filesIn(join(folder, hidden)) >= files)
    )
  }
  while (!isSeen()) await nextTurn()
}

async function start(t: TestContext, program: readonly string[], folder: string) {
  const args = ['--log', 'warn', '--auth-header', 'X-User', '--trusted-proxy', '127.0.0.1']
  const env = { HOLDALL_ADMIN_PASSWORD: 'correct horse battery staple' }
  const child = startProgram(t, { program, folder, args, env })
  const { url } = await listening(child)
  const token = await (await fetch(`${url}/api/login`, { method: 'POST', headers: { 'X-User': 'admin' } })).text()
  const admin = asPrincipal(url, token)
  return {
    async job(id: string, asked: object): Promise<JobDetails> {
      const answer = await admin.ask('POST', '/api/jobs', { body: JSON.stringify({ id, to: '/t', ...asked }) })
      assert.ok(answer.ok, String(answer.status))
      return (await answer.json()) as JobDetails
    },
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Nothing of a folder that is given its name, or removed, at this moment. */
function allIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true }).map(String)
  } catch {
    return []
  }
}
const hiddenIn = (folder: string): string[] => allIn(folder).filter((path) => /\.holdall.*\.(extract|archive)/.test(path))
const filesIn = (folder: string): number => allIn(folder).filter((path) => /^\d\/\d+$/.test(path)).length
