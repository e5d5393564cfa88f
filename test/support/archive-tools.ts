// Standard programs that unpack archives, which are installed when they are missing.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installPackage } from '../../scripts/apt.ts'
import { nameInZip } from './nasty-names.ts'

/** A program → its Debian package. */
const packages = {
  unzip: 'unzip',
  zip: 'zip',
  bsdtar: 'libarchive-tools',
  '7zz': '7zip',
  tar: 'tar',
  gzip: 'gzip',
  bzip2: 'bzip2',
  xz: 'xz-utils',
  lz4: 'lz4',
  zstd: 'zstd',
  python3: 'python3',
  cmp: 'diffutils',
} as const
const snappyLibrary = 'libsnappy1v5'

export type Program = keyof typeof packages

/** Without UTF-8, unzip and bsdtar change names. */
export const environment = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }

/** How each format is unpacked, in ways that know nothing of each other: a name → the work with the archive and an empty folder. */
export const unpackers: Readonly<Record<string, Readonly<Record<string, (archive: string, folder: string) => void>>>> = {
  zip: {
    // -^: control characters in names stay.
    unzip: (archive, folder) => run('unzip', ['-q', '-^', archive, '-d', folder]),
    bsdtar: (archive, folder) => run('bsdtar', ['-xf', archive, '-C', folder]),
    '7zz': (archive, folder) => run('7zz', ['x', '-bd', '-bso0', archive, `-o${folder}`]),
  },
  tar: { tar: withTar('tar'), bsdtar: (archive, folder) => run('bsdtar', ['-xf', archive, '-C', folder]) },
  targz: { tar: withTar('targz'), bsdtar: (archive, folder) => run('bsdtar', ['-xf', archive, '-C', folder]) },
  tarbz2: { tar: withTar('tarbz2'), bsdtar: (archive, folder) => run('bsdtar', ['-xf', archive, '-C', folder]) },
  tarxz: { tar: withTar('tarxz'), bsdtar: (archive, folder) => run('bsdtar', ['-xf', archive, '-C', folder]) },
  tarlz4: { tar: withTar('tarlz4'), bsdtar: (archive, folder) => run('bsdtar', ['-xf', archive, '-C', folder]) },
  tarsz: { libsnappy: withTar('tarsz') },
}

/** Unpacks an archive into a new folder. @returns the folder */
export function unpack(format: string, tool: string, archive: string, below: string): string {
  const folder = join(below, `${format}-${tool}`)
  mkdirSync(folder)
  unpackers[format]?.[tool]?.(archive, folder)
  return folder
}

const tarOfPython = (format: string) => `
import sys, tarfile
with tarfile.open(sys.argv[1], 'w', format=tarfile.${format}) as made: made.add('.')
`

const zipOfPython = `
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED, strict_timestamps=False) as made:
    for folder, folders, files in os.walk('.'):
        for name in sorted(folders + files): made.write(os.path.join(folder, name))
`

type Packer = Readonly<{
  what: string
  ending: string
  /** What it cannot pack: links as such, or names of all kinds. */
  lacks?: 'links' | 'names'
  pack(folder: string, archive: string): void
}>

const byTar = (what: string, ending: string, ...args: string[]): Packer => ({
  ...{ what, ending },
  pack: (folder, archive) => run('tar', [...args, '-cf', archive, '.'], folder),
})
const byBsdtar = (format: string, ending: string): Packer => ({
  ...{ what: `bsdtar, ${format}`, ending },
  pack: (folder, archive) => run('bsdtar', ['--format', format, '-cf', archive, '.'], folder),
})
const byPython = (what: string, ending: string, code: string): Packer => ({
  ...{ what: `Python, ${what}`, ending },
  pack: (folder, archive) => run('python3', ['-c', code, archive], folder),
})

/** How standard programs make archives of all in a folder. */
export const packers: readonly Packer[] = [
  { what: 'zip', ending: '.zip', pack: (folder, archive) => run('zip', ['-qry', archive, '.'], folder) },
  // It changes backslashes.
  {
    ...{ what: '7-Zip, zip', ending: '.zip', lacks: 'names' },
    pack: (folder, archive) => run('7zz', ['a', '-tzip', '-snl', '-bd', '-bso0', archive, '.'], folder),
  },
  {
    ...{ what: '7-Zip, tar', ending: '.tar', lacks: 'names' },
    pack: (folder, archive) => run('7zz', ['a', '-ttar', '-snl', '-bd', '-bso0', archive, '.'], folder),
  },
  ...[byBsdtar('zip', '.zip'), byBsdtar('pax', '.tar'), byBsdtar('gnutar', '.tar')],
  ...[byTar('GNU tar', '.tar', '--format', 'gnu'), byTar('GNU tar, pax', '.tar', '--format', 'pax')],
  ...[byTar('GNU tar, gzip', '.tgz', '-I', 'gzip'), byTar('GNU tar, bzip2', '.tbz2', '-I', 'bzip2 -1')],
  ...[byTar('GNU tar, xz', '.txz', '-I', 'xz -1'), byTar('GNU tar, Zstandard', '.tzst', '-I', 'zstd -q')],
  byTar('GNU tar, LZ4', '.tar.lz4', '-I', 'lz4 -q'),
  ...[byPython('GNU', '.tar', tarOfPython('GNU_FORMAT')), byPython('pax', '.tar', tarOfPython('PAX_FORMAT'))],
  { ...byPython('zip', '.zip', zipOfPython), lacks: 'links' },
]

/** The same, where they leave out the holes of files. */
export const sparsePackers: readonly Packer[] = [
  ...[byTar('GNU', '.tar', '-S', '--format', 'gnu'), byTar('pax', '.tar', '-S', '--format', 'posix'), byBsdtar('pax', '.tar')],
]

function withTar(format: string) {
  return (archive: string, folder: string) => {
    provide('tar')
    run('tar', [...tarFlags(format, dirname(archive)), '-xf', archive, '-C', folder])
  }
}

const decompressors: Readonly<Record<string, Program>> = { targz: 'gzip', tarbz2: 'bzip2', tarxz: 'xz', tarlz4: 'lz4' }

/** How GNU tar decompresses a format. @param below a folder for the program that it calls */
export function tarFlags(format: string, below: string): string[] {
  if (format === 'tarsz') return ['-I', snappyDecompressor(below)]
  const program = decompressors[format]
  if (!program) return []
  provide(program)
  return ['-I', program]
}

/** Reads the frames and has each block decompressed by Google's own library. The sums are checked by read-snappy.ts. */
const snappyProgram = `
import ctypes, struct, sys
lib = ctypes.CDLL('libsnappy.so.1')
source, target = sys.stdin.buffer, sys.stdout.buffer
assert source.read(10) == b'\\xff\\x06\\x00\\x00sNaPpY'
while True:
    head = source.read(4)
    if not head: break
    kind, body = head[0], source.read(int.from_bytes(head[1:4], 'little'))[4:]
    assert kind in (0, 1)
    if kind == 0:
        size = ctypes.c_size_t(65536)
        plain = ctypes.create_string_buffer(65536)
        assert lib.snappy_uncompress(body, ctypes.c_size_t(len(body)), plain, ctypes.byref(size)) == 0
        body = plain.raw[:size.value]
    target.write(body)
`

/** @returns a command that decompresses its input to its output */
function snappyDecompressor(below: string): string {
  const program = join(below, 'unsnappy.py')
  writeFileSync(program, snappyProgram)
  provide('python3')
  const isThere = () => spawnSync('python3', ['-c', "import ctypes; ctypes.CDLL('libsnappy.so.1')"]).status === 0
  assert.ok(isThere() || (installPackage(snappyLibrary) && isThere()), `${snappyLibrary} is missing: install the package`)
  return `python3 ${program}`
}

function run(program: Program, args: readonly string[], cwd?: string) {
  provide(program)
  const { status, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: environment,
    ...(cwd !== undefined && { cwd }),
  })
  assert.equal(status, 0, `${program} ${args.join(' ')}: ${error?.message ?? stderr.slice(0, 2000)}`)
}

/** What a program makes of its input. */
export function packedBy([program, ...args]: readonly [Program, ...string[]], content: Uint8Array): Buffer {
  provide(program)
  const { status, stdout, stderr } = spawnSync(program, [...args, '-c'], { input: content, env: environment, maxBuffer: 1 << 26 })
  assert.equal(status, 0, `${program} ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** Installs a program that is missing. */
export function provide(program: Program) {
  if (provided.has(program)) return
  const isThere = () => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
  if (!isThere()) installPackage(packages[program])
  assert.ok(isThere(), `${program} is missing: install the package ${packages[program]}`)
  provided.add(program)
}

const provided = new Set<Program>()

/** Path → digest of a file, where a link leads, or 'folder'. @param isZip whether names are as in a zip archive */
export function described(folder: string, isZip = false): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const shown = path.slice(folder.length + 1)
    return [
      isZip ? shown.split('/').map(nameInZip).join('/') : shown,
      entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? `to ${readlinkSync(path)}` : digest(path),
    ]
  })
  return Object.fromEntries(entries.sort())
}

/** bsdtar composes names (NFC), so that of two names that look alike one replaces the other. */
export function withoutTwins(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.normalize('NFC').includes('caf\u00e9')))
}

function digest(file: string) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
