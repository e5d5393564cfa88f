import { getItem, setItem } from '../core/storage.ts'

/** How many lines are kept. */
const mostLines = 200
/** Characters of all kept lines. */
const mostCharacters = 50_000

/** The lines that one person has run in this browser, and the place in them that is shown. */
export class CommandHistory {
  readonly #name: string
  /** Counted from the newest; 0 is the line that is being written. */
  #back = 0
  #draft = ''

  /** @param userId whose lines these are: several people may use one browser */
  constructor(userId: number) {
    this.#name = `shellHistory.${userId}`
  }

  /** Keeps a line, unless it begins with a space or equals the last one. */
  add(line: string): void {
    this.#back = 0
    // Read again: another tab may have added lines.
    const kept = this.#lines()
    if (line.trim() === '' || line.startsWith(' ') || line === kept.at(-1)) return
    setItem(this.#name, JSON.stringify(newest([...kept, line])))
  }

  /** The line before the shown one; undefined at the oldest. @param shown what is in the field */
  previous(shown: string): string | undefined {
    const lines = this.#lines()
    const line = lines.at(-this.#back - 1)
    if (line === undefined || this.#back >= lines.length) return undefined
    if (this.#back === 0) this.#draft = shown
    this.#back += 1
    return line
  }

  /** The line after the shown one, last the one that was being written; undefined when that is shown. */
  next(): string | undefined {
    if (this.#back === 0) return undefined
    this.#back -= 1
    return this.#back === 0 ? this.#draft : (this.#lines().at(-this.#back) ?? '')
  }

  #lines(): string[] {
    try {
      const value: unknown = JSON.parse(getItem(this.#name) ?? '[]')
      return Array.isArray(value) ? value.filter((line) => typeof line === 'string') : []
    } catch {
      return []
    }
  }
}

function newest(lines: readonly string[]): string[] {
  const kept = lines.slice(-mostLines)
  let size = kept.reduce((sum, line) => sum + line.length, 0)
  while (size > mostCharacters && kept.length > 1) size -= kept.shift()?.length ?? 0
  return kept
}
