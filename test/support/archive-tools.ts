// Standard programs that unpack archives, which are installed when they are missing.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installPackage } from '../../scripts/apt.ts'

/** A program → its Debian package. */
const packages = {
  unzip: 'unzip',
  bsdtar: 'libarchive-tools',
  '7zz': '7zip',
  tar: 'tar',
  gzip: 'gzip',
  bzip2: 'bzip2',
  xz: 'xz-utils',
  lz4: 'lz4',
  python3: 'python3',
} as const
const snappyLibrary = 'libsnappy1v5'

type Program = keyof typeof packages

/** How each format is unpacked, in ways that know nothing of each other: a name → the work with the archive and an empty folder. */
export const unpackers: Readonly<Record<string, Readonly<Record<string, (archive: string, folder: string) => void>>>> = {
  zip: {
    // -^: control characters in names stay.
    unzip: (archive, folder) => run('unzip', ['-q', '-^', archive, '-d', folder]),
    bsdtar: (archive, folder) => run('bsdtar', ['-xf', archive, '-C', folder]),
    '7zz': (archive, folder) => run('7zz', ['x', '-bd', '-bso0', archive, `-o${folder}`]),
  },
  tar: { tar: withTar(), bsdtar: (archive, folder) => run('bsdtar', ['-xf', archive, '-C', folder]) },
  targz: { tar: withTar('gzip'), bsdtar: (archive, folder) => run('bsdtar', ['-xf', archive, '-C', folder]) },
  tarbz2: { tar: withTar('bzip2'), bsdtar: (archive, folder) => run('bsdtar', ['-xf', archive, '-C', folder]) },
  tarxz: { tar: withTar('xz'), bsdtar: (archive, folder) => run('bsdtar', ['-xf', archive, '-C', folder]) },
  tarlz4: { tar: withTar('lz4'), bsdtar: (archive, folder) => run('bsdtar', ['-xf', archive, '-C', folder]) },
  tarsz: { libsnappy: unpackSnappy },
}

/** Unpacks an archive into a new folder. @returns the folder */
export function unpack(format: string, tool: string, archive: string, below: string): string {
  const folder = join(below, `${format}-${tool}`)
  mkdirSync(folder)
  unpackers[format]?.[tool]?.(archive, folder)
  return folder
}

function withTar(compressor?: Program) {
  return (archive: string, folder: string) => {
    if (compressor) provide(compressor)
    run('tar', [...(compressor ? ['-I', compressor] : []), '-xf', archive, '-C', folder])
  }
}

/** Reads the frames and has each block decompressed by Google's own library. The sums are checked by read-snappy.ts. */
const snappyProgram = `
import ctypes, struct, sys
lib = ctypes.CDLL('libsnappy.so.1')
source, target = open(sys.argv[1], 'rb'), open(sys.argv[2], 'wb')
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

function unpackSnappy(archive: string, folder: string) {
  const [program, plain] = [`${archive}.py`, `${archive}.tar`]
  writeFileSync(program, snappyProgram)
  provide('python3')
  const unpacked = () => spawnSync('python3', [program, archive, plain], { encoding: 'utf8' })
  const first = unpacked()
  const { status, stderr } = first.status === 0 || !installPackage(snappyLibrary) ? first : unpacked()
  assert.equal(status, 0, stderr)
  run('tar', ['-xf', plain, '-C', folder])
}

function run(program: Program, args: readonly string[]) {
  provide(program)
  const { status, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    // Without UTF-8, unzip and bsdtar change names.
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
  })
  assert.equal(status, 0, `${program} ${args.join(' ')}: ${error?.message ?? stderr.slice(0, 2000)}`)
}

function provide(program: Program) {
  const isThere = () => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
  if (!isThere()) installPackage(packages[program])
  assert.ok(isThere(), `${program} is missing: install the package ${packages[program]}`)
}

/** Path → digest of a file, or 'folder'. @param isZip whether a backslash becomes `_` */
export function described(folder: string, isZip = false): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const shown = path.slice(folder.length + 1)
    return [isZip ? shown.replaceAll('\\', '_') : shown, entry.isDirectory() ? 'folder' : digest(path)]
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
