import { signal } from '@preact/signals-core'
import type { openCommandSocket } from '../api/command-socket.ts'
import { noticesSlice } from '../core/notices.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { endingText } from './ending-text.ts'
import { CommandHistory } from './history.ts'
import { type Ending, RunningCommand, type TerminalScreen } from './running-command.ts'

/** A command that has ended, with what it wrote. */
export type Finished = { id: number; line: string; text: string; ending: Ending }

/** Lines that are kept of all ended commands together, and that a terminal keeps. */
export const mostLines = 5000
/** Lines and characters of output that screen readers are told at a time. */
const announced = { lines: 10, characters: 500 }
/** Milliseconds between two announcements while a command runs. */
const announcePause = 1000

type Parts = {
  workspace: Workspace
  connect: typeof openCommandSocket
  makeScreen(label: string): TerminalScreen
  /** Closes the panel. */
  close(): void
}

/** The commands that one person runs: what has ended, and at most one that runs. */
export class Console {
  readonly #parts: Parts
  readonly history: CommandHistory
  readonly finished = signal<readonly Finished[]>([])
  readonly running = signal<RunningCommand | undefined>(undefined)
  /** Whether output was dropped because it was too much. */
  readonly isCut = signal(false)
  #lastId = 0
  #isAnnouncing = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.history = new CommandHistory(parts.workspace.user.peek()?.id ?? 0)
    parts.workspace.onDispose(() => this.stop())
  }

  /** Runs a line in a folder. `clear` and `exit` are done here. A line is ignored while a command runs. */
  run(line: string, folder: string): void {
    const wanted = line.trim()
    if (wanted === '' || this.running.peek()) return
    this.history.add(line)
    if (wanted === 'clear') this.clear()
    else if (wanted === 'exit') this.#parts.close()
    else this.#begin(wanted, folder)
  }

  /** Ends the command that runs. */
  stop(): void {
    this.running.peek()?.stop()
  }

  clear(): void {
    this.finished.value = []
    this.isCut.value = false
    this.running.peek()?.screen.clear()
  }

  #begin(line: string, folder: string): void {
    const { workspace, connect, makeScreen } = this.#parts
    const running = new RunningCommand({
      ...{ workspace, line, folder, connect, screen: makeScreen(t('shell.running', { command: line })) },
      onOutput: () => this.#announceSoon(running),
      onEnd: (ending, wasCut) => this.#finish(running, ending, wasCut),
    })
    this.running.value = running
  }

  #finish({ line, screen }: RunningCommand, ending: Ending, wasCut: boolean): void {
    const text = screen.text()
    const isFull = wasCut || screen.isFull()
    screen.dispose()
    this.#lastId += 1
    const all = [...this.finished.peek(), { id: this.#lastId, line, text, ending }]
    const kept = newest(all)
    if (isFull || kept.length < all.length || kept[0]?.text !== all[all.length - kept.length]?.text) this.isCut.value = true
    this.finished.value = kept
    this.running.value = undefined
    if (ending.kind !== 'stopped') this.#announce([lastOf(text), endingText(ending)].filter(Boolean).join('\n'))
  }

  #announceSoon(running: RunningCommand): void {
    if (this.#isAnnouncing) return
    this.#isAnnouncing = true
    this.#parts.workspace.timeout(() => {
      this.#isAnnouncing = false
      if (this.running.peek() === running) this.#announce(lastOf(running.screen.tail(announced.lines)))
    }, announcePause)
  }

  #announce(text: string): void {
    if (text) this.#parts.workspace.use(noticesSlice).announce(text)
  }
}

const lastOf = (text: string): string => text.split('\n').slice(-announced.lines).join('\n').slice(-announced.characters)

/** The newest commands whose lines are not too many; the output of the oldest of them is shortened. */
function newest(all: readonly Finished[]): Finished[] {
  const kept: Finished[] = []
  let left = mostLines
  for (const one of all.toReversed()) {
    if (left <= 0) break
    const lines = one.text === '' ? [] : one.text.split('\n')
    // One for the line of the command itself.
    kept.unshift(lines.length < left ? one : { ...one, text: lines.slice(-Math.max(1, left - 1)).join('\n') })
    left -= lines.length + 1
  }
  return kept
}
