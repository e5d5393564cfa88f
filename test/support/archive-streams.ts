// Standard programs that check large archives without unpacking them to the disk.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { environment, type Program, provide, tarFlags } from './archive-tools.ts'

/**
 * Has GNU tar compare an archive with the folder that it was made of: kinds, contents, sizes, times in seconds and permissions.
 * @returns the path of each entry as tar reads it, a folder's with a slash at its end, and a line for each difference
 */
export async function comparedByTar(
  format: string,
  archive: AsyncIterable<Uint8Array>,
  { folder, below }: { folder: string; below: string },
): Promise<string[]> {
  provide('tar')
  const flags = [...tarFlags(format, below), '--verbose', '--quoting-style=escape', '-f', '-', '-C', folder]
  const tar = spawn('tar', ['--compare', ...flags], { env: environment })
  const ended = once(tar, 'close')
  const [lines, errors] = [text(tar.stdout), text(tar.stderr)]
  await pipeline(archive, tar.stdin)
  const [status] = await ended
  // 1: something differs, which the lines say.
  assert.ok(status === 0 || status === 1, `tar ended with ${status}: ${(await errors).slice(0, 2000)}`)
  const isAsked = (line: string) => line !== '' && !/: (Uid|Gid) differs$/.test(line)
  return (await lines).split('\n').filter(isAsked).map(unescaped)
}

/** Programs that write the content of a file in a zip archive to their output. */
const printers = {
  bsdtar: (archive: string, name: string) => ['-xOf', archive, name],
  '7zz': (archive: string, name: string) => ['x', '-so', archive, name],
} as const satisfies Partial<Record<Program, unknown>>

export const zipPrinters = Object.keys(printers) as (keyof typeof printers)[]

/** Compares what a program reads from a zip archive with a file, byte for byte. @returns what the programs say, '' for the same */
export async function comparedByCmp(tool: keyof typeof printers, archive: string, name: string, file: string): Promise<string> {
  provide(tool)
  provide('cmp')
  const printer = spawn(tool, printers[tool](archive, name), { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const cmp = spawn('cmp', ['-', file], { stdio: [printer.stdout, 'pipe', 'pipe'] })
  // It is the other program's from here on: its reader here would take a part of it.
  printer.stdout.destroy()
  const said = [printer.stderr, cmp.stdout, cmp.stderr].map((stream) => text(stream))
  const statuses = await Promise.all([once(printer, 'close'), once(cmp, 'close')])
  assert.deepEqual(
    statuses.map(([status]) => status),
    [0, 0],
    (await Promise.all(said)).join(''),
  )
  return (await Promise.all(said)).join('')
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '\\': 92, ' ': 32 }

/** The text that tar has written with escapes for characters that cannot be printed. */
function unescaped(line: string): string {
  const bytes = Buffer.from(line).toString('latin1')
  const plain = bytes.replace(/\\([0-7]{3}|[abtnvfr\\ ])/g, (_, what: string) =>
    String.fromCharCode(escapes[what] ?? Number.parseInt(what, 8)),
  )
  return Buffer.from(plain, 'latin1').toString()
}
