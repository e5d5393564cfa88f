import { TarArchive, type TarEntryData } from 'archiver'
import { Failure } from '../base/failure.ts'
import type { ArchiveEntry } from './archive.ts'
import { leavesFolder } from './entry-path.ts'
import { throughArchiver } from './through-archiver.ts'

/** Writes a tar archive (POSIX pax): every name as it is, times in seconds, permissions. Folders are kept as `name/`. */
export const tar = throughArchiver({ make: () => new TarArchive({ highWaterMark: 64 * 1024 }), headerOf })

/** Seconds that a plain header holds as tar-stream writes it. */
const latestPlain = 0x7fff_ffff
/** Names that archiver leaves as they are: it takes a backslash for a slash, and removes what looks like a drive. */
const plainName = /^[A-Za-z0-9_ .@+=,(){}-]+(\/[A-Za-z0-9_ .@+=,(){}-]+)*$/

type Header = TarEntryData & { pax?: Record<string, string> }

/** @throws Failure('invalid') for a path that leads out of the folder where the archive is unpacked */
function headerOf({ path, isDir, modified, mode }: ArchiveEntry): Header {
  if (leavesFolder(path)) throw new Failure('invalid', 'a path does not fit into an archive')
  const seconds = Number(modified / 1_000_000_000n)
  const isPlainTime = seconds >= 0 && seconds <= latestPlain
  const isPlainName = plainName.test(path)
  const pax = {
    ...(!isPlainName && { path: path + (isDir ? '/' : '') }),
    ...(!isPlainTime && { mtime: String(seconds) }),
  }
  return {
    name: isPlainName ? path : 'entry',
    type: isDir ? 'directory' : 'file',
    date: new Date(Math.min(Math.max(seconds, 0), latestPlain) * 1000),
    mode: mode & 0o7777,
    ...(Object.keys(pax).length > 0 && { pax }),
  }
}
