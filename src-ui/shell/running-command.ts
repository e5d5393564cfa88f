import type { CommandSocket, openCommandSocket, TerminalMessage } from '../api/command-socket.ts'
import { Coalesced } from '../core/coalesce.ts'
import type { Workspace } from '../core/workspace.ts'

/** How a command ended. `stopped`: the person ended it. `lost`: the connection broke. `revoked`: the server ended it. `failed`: nothing was reached. */
export type Ending =
  | { kind: 'ended'; code: number; signal?: number | undefined }
  | { kind: 'refused'; reason: string }
  | { kind: 'stopped' }
  | { kind: 'lost' }
  | { kind: 'revoked' }
  | { kind: 'failed' }

export type Size = { columns: number; rows: number }

/** The terminal that shows what a running command writes. */
export interface TerminalScreen {
  /** Puts it into an element and gives it the focus. @returns its size */
  open(element: HTMLElement): Size
  /** Fits it to its element again. @returns its size */
  fit(): Size
  focus(): void
  /** Takes new colours from the page. */
  recolour(): void
  /** @param written called when the text has been read */
  write(text: string, written: () => void): void
  /** What the person types, and what the terminal answers. */
  onInput(listener: (text: string) => void): void
  clear(): void
  /** All that it holds as text, without empty lines at the end. */
  text(): string
  /** The last lines with text. */
  tail(lines: number): string
  /** Whether the first lines have left it, because there were too many. */
  isFull(): boolean
  dispose(): void
}

/** Characters of output that wait for the terminal; it keeps far less than this. */
const mostWaiting = 1024 * 1024
/** Characters that the terminal gets at a time. */
const pieceOfOutput = 65_536
/** Characters of one message: as JSON at most 48 KB, and the server takes 64 KiB. */
const pieceOfInput = 8000
/** Milliseconds between two messages with keys: the server takes 200 a second. */
const inputPause = 20
/** Ends an escape sequence whose rest was dropped. */
const cancelSequence = '\x18'

type Parts = {
  workspace: Workspace
  line: string
  folder: string
  screen: TerminalScreen
  connect: typeof openCommandSocket
  /** Called after the terminal has read some output. */
  onOutput(): void
  /** Called once, when all output is on the screen. */
  onEnd(ending: Ending, wasCut: boolean): void
}

/** One command that runs, between its socket and its terminal. */
export class RunningCommand {
  readonly line: string
  readonly screen: TerminalScreen
  readonly #parts: Parts
  #socket: CommandSocket | undefined
  #isOpen = false
  #ending: Ending | undefined
  #isDone = false
  #waiting: string[] = []
  #waitingSize = 0
  #isWriting = false
  #wasCut = false
  #input = ''
  readonly #sending: Coalesced

  constructor(parts: Parts) {
    this.#parts = parts
    this.line = parts.line
    this.screen = parts.screen
    this.#sending = new Coalesced(parts.workspace, inputPause, () => this.#sendInput())
    parts.screen.onInput((text) => this.#type(text))
  }

  /** Sends the command, once its terminal has a size. */
  start(size: Size): void {
    if (this.#socket || this.#ending) return
    const { connect, folder, line } = this.#parts
    this.#socket = connect(folder, {
      onOpen: () => {
        this.#isOpen = true
        this.#socket?.send({ kind: 'run', line, ...size })
        // Keys that were pressed meanwhile.
        this.#sending.request()
      },
      onMessage: (message) => this.#receive(message),
      onClose: (isRevoked) => this.#end({ kind: isRevoked ? 'revoked' : this.#isOpen ? 'lost' : 'failed' }),
    })
  }

  resize(size: Size): void {
    this.#socket?.send({ kind: 'resize', ...size })
  }

  /** Closes the socket: the server sends HUP, and KILL five seconds later. */
  stop(): void {
    this.#end({ kind: 'stopped' })
  }

  #receive(message: TerminalMessage): void {
    if (message.kind === 'output') this.#show(message.text)
    else this.#end(message)
  }

  #show(text: string): void {
    this.#waiting.push(text)
    this.#waitingSize += text.length
    // The terminal keeps the end of a long output only: what would leave it again need not be read.
    while (this.#waitingSize > mostWaiting && this.#waiting.length > 1) {
      this.#waitingSize -= this.#waiting.shift()?.length ?? 0
      if (this.#waiting[0] && !this.#waiting[0].startsWith(cancelSequence)) this.#waiting[0] = cancelSequence + this.#waiting[0]
      this.#wasCut = true
    }
    this.#writeNext()
  }

  #writeNext(): void {
    if (this.#isWriting || this.#isDone) return
    if (this.#waiting.length === 0) {
      this.#finish()
      return
    }
    let piece = ''
    while (piece.length < pieceOfOutput && this.#waiting.length > 0) piece += this.#waiting.shift()
    this.#waitingSize = Math.max(0, this.#waitingSize - piece.length)
    this.#isWriting = true
    this.screen.write(piece, () => {
      this.#isWriting = false
      if (this.#isDone) return
      this.#parts.onOutput()
      this.#writeNext()
    })
  }

  #end(ending: Ending): void {
    if (this.#ending) return
    this.#ending = ending
    this.#socket?.close()
    this.#writeNext()
  }

  #finish(): void {
    if (!this.#ending || this.#isDone) return
    this.#isDone = true
    this.#parts.onEnd(this.#ending, this.#wasCut)
  }

  #type(text: string): void {
    if (this.#ending) return
    this.#input += text
    if (this.#isOpen) this.#sending.request()
  }

  #sendInput(): void {
    if (this.#input === '' || this.#ending) return
    // Not between the halves of a character.
    const end = /[\uD800-\uDBFF]/.test(this.#input[pieceOfInput - 1] ?? '') ? pieceOfInput - 1 : pieceOfInput
    this.#socket?.send({ kind: 'input', text: this.#input.slice(0, end) })
    this.#input = this.#input.slice(end)
    if (this.#input !== '') this.#sending.request()
  }
}
