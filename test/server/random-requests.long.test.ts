// Many requests of every kind leave nothing open, and nothing on the console.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { picture } from '../support/pictures.ts'
import { sendRandomRequests } from '../support/random-requests.ts'
import { byScale, seed } from '../support/scale.ts'
import { SeededRandom } from '../support/seeded-random.ts'
import { findProgram, startProgram } from '../support/server-program.ts'
import { listening } from '../support/start-executable.ts'
import { goodPassword, temporaryFolder } from '../support/start-state.ts'
import { plant } from '../support/tree.ts'
import { until } from '../support/until.ts'

const count = byScale({ usual: 1000, long: 12_000, full: 60_000 })

test('after many random requests no handle is left open, and nothing unexpected is on the console', {
  timeout: 30 * 60_000,
}, async (t) => {
  const folder = temporaryFolder(t)
  const child = startProgram(t, { program: await findProgram(), folder, env: { HOLDALL_ADMIN_PASSWORD: goodPassword } })
  const { url, output } = await listening(child)
  const image = await picture('png', 40, 30)
  const files = { 'a.txt': 'text', 'b.png': image, 'd/a.txt': 'text', 'd/b.png': image, 'e/': '' }
  await plant(join(folder, 'files'), files)
  const token = await signIn(url)
  const handles = () => readdirSync(`/proc/${child.pid}/fd`).length
  const before = handles()
  const statuses = await sendRandomRequests({ url, token, random: new SeededRandom(seed) }, count)
  t.diagnostic(`seed ${seed}, statuses ${JSON.stringify([...statuses].sort(([one], [other]) => one - other))}`)
  const after = handles()
  // The logs beside the state stay open: of temporary files, of the trash and its places, of acts.
  const kept = 10
  await until(() => handles() <= before + kept, 'files are closed, and threads without work have ended')
  t.diagnostic(`handles: ${before} before, ${after} right after, ${handles()} in the end`)
  assert.deepEqual(output().split('\n').filter(isUnexpected), [])
})

async function signIn(url: string): Promise<string> {
  const body = JSON.stringify({ username: 'admin', password: goodPassword })
  const answer = await fetch(`${url}/api/login`, { method: 'POST', body })
  assert.equal(answer.status, 200)
  return answer.text()
}

/** Whether a line of the output is neither a record of the log, except errors, nor a sentence of the start. */
function isUnexpected(line: string) {
  return line !== '' && !/^(\{"level":"(info|warn)"|Sign in as admin |Holdall serves )/.test(line)
}
