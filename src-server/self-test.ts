// `holdall --self-test`: uses each native module once, to find faults of this machine before anybody signs in.
import { crc32, deflateSync } from 'node:zlib'
import type { ArchiveEntry } from './archives/archive.ts'
import { archiveFormat } from './archives/formats.ts'
import { bundledFiles } from './base/bundled-files.ts'
import { systemClock } from './base/clock.ts'
import { unpackNativesTemporarily } from './options/native-folder.ts'
import { Previews } from './previews/previews.ts'
import { openTerminal } from './shell/terminal.ts'

type Check = Readonly<{ name: string; run(): Promise<string> }>

const checks: readonly Check[] = [
  { name: 'code', run: lookAtCode },
  { name: 'password hashing', run: hashPassword },
  { name: 'thumbnails', run: shrinkPicture },
  { name: 'archives', run: packArchives },
  { name: 'terminal', run: runShell },
]

/**
 * Prints a line for each native module. Files made on the way are removed.
 * @returns the exit code: 0 when all of them work, else 1
 */
export async function selfTest(print: (line: string) => void): Promise<0 | 1> {
  const remove = unpackNativesTemporarily()
  try {
    const outcomes: boolean[] = []
    for (const check of checks) outcomes.push(await passes(check, print))
    return outcomes.every(Boolean) ? 0 : 1
  } finally {
    remove()
  }
}

async function passes({ name, run }: Check, print: (line: string) => void): Promise<boolean> {
  try {
    print(`ok      ${name}: ${await run()}`)
    return true
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    print(`failed  ${name}: ${reason}`)
    return false
  }
}

/** Another Node than the one that made the cache refuses it, and compiles at each start. */
async function lookAtCode(): Promise<string> {
  const { codeCache = 'none' } = bundledFiles() ?? {}
  expect(codeCache !== 'refused', 'the cache of compiled code was refused, so that each start takes longer')
  return codeCache === 'used' ? 'compiled when the executable was made' : 'compiled at each start'
}

async function hashPassword(): Promise<string> {
  const argon2 = await import('argon2')
  const hash = await argon2.hash('correct', { type: argon2.argon2id, memoryCost: 65_536, timeCost: 3, parallelism: 1 })
  expect(await argon2.verify(hash, 'correct'), 'the right password was refused')
  expect(!(await argon2.verify(hash, 'wrong')), 'a wrong password was accepted')
  return hash.split('$').slice(1, 4).join(' ')
}

async function shrinkPicture(): Promise<string> {
  const thumbnail = await thumbnailOf(picture(1024, 512))
  const isWebp = thumbnail.toString('latin1', 0, 4) === 'RIFF' && thumbnail.toString('latin1', 8, 15) === 'WEBPVP8'
  expect(isWebp, 'the result is not a WebP picture')
  // A lossy WebP picture holds its size after the start code of its first frame (RFC 6386, 9.1).
  const width = thumbnail.readUInt16LE(26) & 0x3fff
  const height = thumbnail.readUInt16LE(28) & 0x3fff
  expect(width === 512 && height === 256, `1024 × 512 pixels became ${width} × ${height} instead of 512 × 256`)
  return `1024 × 512 pixels became ${width} × ${height}`
}

/** Made by a child process, as for a user. */
async function thumbnailOf(bytes: Buffer): Promise<Buffer> {
  const previews = new Previews()
  try {
    const read = async function* () {
      yield bytes
    }
    const key = { identity: '', version: '', size: 'thumb' } as const
    return (await previews.make(key, { size: bytes.length, read }, new AbortController().signal)).bytes
  } finally {
    previews.close()
  }
}

/** The formats whose compressors are native or run in threads. */
async function packArchives(): Promise<string> {
  const starts = { tarbz2: '425a68', tarxz: 'fd377a585a00', tarlz4: '04224d18', tarsz: 'ff060000734e61507059' }
  const lengths: string[] = []
  for (const [name, start] of Object.entries(starts)) {
    const { write, ending } = archiveFormat(name)
    const packed = Buffer.concat(await Array.fromAsync(write(oneFile(), new AbortController().signal)))
    expect(packed.toString('hex', 0, start.length / 2) === start, `${ending} begins with ${packed.toString('hex', 0, 10)}`)
    lengths.push(`${ending} ${packed.length}`)
  }
  return `${lengths.join(', ')} bytes`
}

async function* oneFile(): AsyncGenerator<ArchiveEntry> {
  const content = Buffer.alloc(100_000, 'A line of text.\n')
  const read = async function* () {
    yield content
  }
  yield { path: 'text', isDir: false, size: content.length, modified: 0n, mode: 0o644, read }
}

/** A PNG picture of coloured stripes; width and height in pixels. */
function picture(width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Each row begins with the number of its filter: 0, none.
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let at = 0; at < rows.length; at++) rows[at] = at % (1 + width * 3) === 0 ? 0 : (at * 7) % 256
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, contents: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), contents])
  const framed = Buffer.alloc(4 + named.length + 4)
  framed.writeUInt32BE(contents.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), 4 + named.length)
  return framed
}

async function runShell(): Promise<string> {
  const terminal = await openTerminal({
    command: '/bin/sh',
    args: ['-c', 'read line && echo "heard $line"; tty'],
    folder: '/',
    env: { PATH: '/usr/bin:/bin' },
    clock: systemClock,
  })
  let output = ''
  terminal.onOutput((text) => {
    output += text
  })
  terminal.write('a word\r')
  const { code } = await within(10_000, terminal)
  expect(code === 0 && output.includes('heard a word'), `the shell ended with ${code} and said ${JSON.stringify(output)}`)
  return output.trim().split(/\s+/).at(-1) ?? ''
}

async function within(milliseconds: number, { ended, close }: Awaited<ReturnType<typeof openTerminal>>) {
  const timer = setTimeout(close, milliseconds)
  try {
    return await ended
  } finally {
    clearTimeout(timer)
  }
}

function expect(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}
