import type { ArchiveEntry } from '../archives/archive.ts'
import type { Path } from '../base/paths.ts'
import type { Unreachable } from '../disk/disk.ts'

const reasons = {
  outside: 'a link that leads out of your files',
  broken: 'a link that leads nowhere',
  special: 'a device, a pipe or a socket',
  name: 'its name is not valid UTF-8',
  unanswered: 'the disk does not answer',
  unreadable: 'it cannot be read',
  gone: 'it was removed meanwhile',
  circle: 'a link that leads back to a folder around it',
  nested: 'a link inside too many other links',
} as const satisfies Record<Unreachable, string> & Record<string, string>

export type LeftOutReason = keyof typeof reasons

/** How many are named; further ones are counted. */
const mostNamed = 1000
const listName = '_not-included'

/** What an archive does not hold although it should. Names and reasons become the last entry of the archive, which says so. */
export class LeftOut {
  readonly #folder: Path
  readonly #report: (path: Path, reason: string) => void
  readonly #lines: string[] = []
  readonly #taken = new Set<string>()
  #count = 0

  /** @param folder that the paths in the archive count from */
  constructor(folder: Path, report: (path: Path, reason: string) => void) {
    this.#folder = folder
    this.#report = report
  }

  add(path: Path, reason: LeftOutReason): void {
    this.#count++
    if (this.#count > mostNamed) return
    this.#report(path, reasons[reason])
    this.#lines.push(`${shown(this.relative(path) || '.')}: ${reasons[reason]}`)
  }

  /** Remembers a name at the top of the archive that the list could have. */
  note(path: string): void {
    if (path.startsWith(listName)) this.#taken.add(path)
  }

  /** A path in the archive; '' for the folder itself. */
  relative(path: Path): string {
    if (path === this.#folder) return ''
    return path.slice(this.#folder === '/' ? 1 : this.#folder.length + 1)
  }

  /** The list as a text file; undefined when nothing was left out. @param now nanoseconds since the epoch */
  entry(now: bigint): ArchiveEntry | undefined {
    if (this.#count === 0) return undefined
    const more = this.#count - this.#lines.length
    const lines = [
      'This archive is not complete. It does not hold:',
      '',
      ...this.#lines,
      ...(more > 0 ? [`and ${more} more`] : []),
    ]
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    return { path: this.#freeName(), isDir: false, size: bytes.length, modified: now, mode: 0o644, content: bytes }
  }

  #freeName(): string {
    for (let number = 0; ; number++) {
      const name = `${listName}${number > 0 ? `(${number})` : ''}.txt`
      if (!this.#taken.has(name)) return name
    }
  }
}

/** One line, whatever the name holds. */
function shown(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names may hold them.
  return path.replace(/[\0-\x1f\x7f]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
