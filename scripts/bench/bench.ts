// `npm run bench`: how long the executable takes for what people wait for. Nothing is asserted; compare on one quiet machine.
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { requireSpace } from '../../test/support/real-files.ts'
import { administratorPassword, type Running, startExecutable } from '../../test/support/start-executable.ts'
import { makeExecutable } from '../package.ts'
import { report, type Samples, time } from './measure.ts'

const mebibyte = 1 << 20
const gibibyte = 1 << 30
const manyEntries = 10_000

process.env.HOLDALL_TEST_EXECUTABLE = await makeExecutable()
console.log(report('start until it listens', await startUps(7), 'ms'))
const server = await startExecutable(['--log', 'warn'])
try {
  await requireSpace(server.folder, 2 * gibibyte)
  const token = await signIn(server)
  console.log(report(`list ${manyEntries} entries`, await listings(server, token), 'ms'))
  console.log(report('upload 1 GiB', perSecond(await uploads(server, token)), 'MiB/s'))
  console.log(report('download 1 GiB', perSecond(await downloads(server, token)), 'MiB/s'))
} finally {
  await server.close()
}

async function startUps(times: number): Promise<Samples> {
  const samples: number[] = []
  for (let round = 0; round < times; round++) {
    const started = performance.now()
    const running = await startExecutable()
    samples.push(performance.now() - started)
    await running.close()
  }
  return samples
}

async function listings({ root, url }: Running, token: string): Promise<Samples> {
  await mkdir(join(root, 'many'))
  for (let number = 0; number < manyEntries; number++) await writeFile(join(root, 'many', `scan ${number}.tif`), '')
  return time(11, async () => {
    const answer = await fetch(`${url}/api/resources/many/`, { headers: { 'X-Auth': token } })
    const { numFiles } = (await answer.json()) as { numFiles: number }
    if (numFiles !== manyEntries) throw new Error(`${numFiles} of ${manyEntries} entries were listed`)
  })
}

async function uploads({ url }: Running, token: string): Promise<Samples> {
  return time(3, async () => {
    const sent = request(`${url}/api/resources/big.bin?override=true`, {
      method: 'POST',
      headers: { 'X-Auth': token, 'Content-Length': gibibyte },
    })
    const answered = once(sent, 'response')
    await pipeline(Readable.from(blocks()), sent)
    await expectSuccess(answered)
  })
}

function* blocks() {
  const block = Buffer.alloc(mebibyte, 'a line of text that is as good as any other\n')
  for (let sent = 0; sent < gibibyte; sent += mebibyte) yield block
}

async function downloads({ url }: Running, token: string): Promise<Samples> {
  return time(5, async () => {
    const asked = request(`${url}/api/raw/big.bin`, { headers: { 'X-Auth': token } })
    const answered = once(asked, 'response')
    asked.end()
    await expectSuccess(answered, gibibyte)
  })
}

async function expectSuccess(answered: Promise<unknown[]>, bytes?: number) {
  const [answer] = (await answered) as [IncomingMessage]
  let received = 0
  answer.on('data', (chunk: Buffer) => {
    received += chunk.length
  })
  await once(answer, 'end')
  if (answer.statusCode !== 200) throw new Error(`the server answered ${answer.statusCode}`)
  if (bytes !== undefined && received !== bytes) throw new Error(`${received} of ${bytes} bytes arrived`)
}

function perSecond(samples: Samples): Samples {
  return samples.map((milliseconds) => 1024 / (milliseconds / 1000))
}

async function signIn({ url }: Running): Promise<string> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: administratorPassword }),
  })
  if (!answer.ok) throw new Error(`sign-in: ${answer.status}`)
  return answer.text()
}
