// How much is worked on at a time: by kind, for each person, and for each connection.
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import type { LimitedKind } from '../contract/endpoint.ts'

/** How many of a kind are at work at once, in all and for one person. */
type Limit = Readonly<{ inAll: number; ofOne: number }>

const usualLimits: Readonly<Record<LimitedKind, Limit>> = {
  // One that nobody reads keeps its entries in memory until its connection ends.
  listings: { inAll: 8, ofOne: 3 },
  // Five uploads at a time is what the page sends.
  writes: { inAll: 32, ofOne: 8 },
}

/** Requests of one kind that wait; one more is refused. */
const mostWaiting = 1000

/** Seconds after which a refused request may come again. */
const retryAfter = 2

type Waiting = Readonly<{ person: number; begin(): void }>

/** Work of one kind: begun in the order in which it comes, but that whoever has enough at work lets others pass. */
class Lane {
  readonly #limit: Limit
  readonly #running = new Map<number, number>()
  readonly #waiting: Waiting[] = []
  #inAll = 0

  constructor(limit: Limit) {
    this.#limit = limit
  }

  /** @returns what ends the work @throws Failure('busy'), the signal's reason when it is aborted while waiting */
  async enter(person: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (!this.#hasRoomFor(person)) await this.#wait(person, signal)
    else this.#count(person, 1)
    return () => this.#leave(person)
  }

  #wait(person: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting.length >= mostWaiting) throw new Failure('busy', 'too much is being asked for at once', { retryAfter })
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const waiting = { person, begin }
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      this.#waiting.push(waiting)
    })
  }

  #leave(person: number) {
    this.#count(person, -1)
    const next = this.#waiting.findIndex((waiting) => this.#hasRoomFor(waiting.person))
    if (next < 0) return
    const [waiting] = this.#waiting.splice(next, 1) as [Waiting]
    this.#count(waiting.person, 1)
    waiting.begin()
  }

  #hasRoomFor(person: number) {
    return this.#inAll < this.#limit.inAll && (this.#running.get(person) ?? 0) < this.#limit.ofOne
  }

  #count(person: number, change: 1 | -1) {
    this.#inAll += change
    const count = (this.#running.get(person) ?? 0) + change
    if (count === 0) this.#running.delete(person)
    else this.#running.set(person, count)
  }
}

/** Keeps each kind of work within its limit. */
export class Limits {
  readonly #lanes: Readonly<Record<LimitedKind, Lane>>

  constructor(limits: Partial<Record<LimitedKind, Limit>> = {}) {
    const all = { ...usualLimits, ...limits }
    this.#lanes = { listings: new Lane(all.listings), writes: new Lane(all.writes) }
  }

  /**
   * Waits until the work may begin; it counts until its operation ends, which is when the response has ended.
   * @param person the id of the user
   * @throws Failure('busy') when too many wait already
   */
  async enter(kind: LimitedKind, person: number, operation: Operation): Promise<void> {
    const close = await this.#lanes[kind].enter(person, operation.signal)
    operation.own({ close })
  }
}

type Queue = { isBusy: boolean; waiting: (() => void)[] }

/**
 * Requests that a client sends on one connection without waiting for their answers are worked on one after another. While one
 * waits nothing more is read from the connection: the body of the one at work has come whole by then.
 */
export function oneRequestPerConnection(app: FastifyInstance): void {
  const queues = new WeakMap<Socket, Queue>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { socket } = request.raw
    const queue = queues.get(socket) ?? { isBusy: false, waiting: [] }
    queues.set(socket, queue)
    const begin = () => {
      queue.isBusy = true
      done()
    }
    if (!queue.isBusy) return begin()
    queue.waiting.push(begin)
    socket.pause()
  })
  app.addHook('onResponse', async ({ raw: { socket } }) => {
    const queue = queues.get(socket)
    if (queue) beginNext(queue, socket)
  })
}

function beginNext(queue: Queue, socket: Socket) {
  queue.isBusy = false
  if (socket.destroyed) queue.waiting.length = 0
  const next = queue.waiting.shift()
  if (queue.waiting.length === 0) socket.resume()
  next?.()
}
