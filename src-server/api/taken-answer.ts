import type { Socket } from 'node:net'
import type { Clock } from '../base/clock.ts'
import type { Closable } from '../base/operation.ts'
import type { Yielding } from './giving-way.ts'

/** Milliseconds between two looks at how much a client has taken. */
const pause = 5000

/** Whether the client of an answer takes it. */
export class TakenAnswer implements Closable {
  readonly #socket: Socket
  readonly #clock: Clock
  #taken: number
  #takenAt: number
  #cancel = () => {}

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket
    this.#clock = clock
    this.#taken = this.#sent()
    this.#takenAt = clock.elapsed()
    this.#lookLater()
  }

  /** The answer gives way when its client has taken nothing for so many milliseconds. */
  unreadFor(milliseconds: number): Yielding {
    const slowness = () => {
      const unread = this.#unread()
      return unread >= milliseconds ? unread : undefined
    }
    return { slowness, end: () => this.#socket.destroy() }
  }

  close(): void {
    this.#cancel()
  }

  /** Milliseconds. */
  #unread(): number {
    const sent = this.#sent()
    // Without anything that waits to be sent, the client has taken all of it.
    if (sent !== this.#taken || this.#socket.writableLength === 0) this.#takenAt = this.#clock.elapsed()
    this.#taken = sent
    return this.#clock.elapsed() - this.#takenAt
  }

  /** Bytes that the system has taken for the client. */
  #sent() {
    return this.#socket.bytesWritten - this.#socket.writableLength
  }

  #lookLater() {
    this.#cancel = this.#clock.after(pause, () => {
      this.#unread()
      this.#lookLater()
    })
  }
}
