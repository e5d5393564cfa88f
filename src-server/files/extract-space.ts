// The space that an archive takes while it is extracted: more may be taken than was asked for, by copies of hard links, and by others.
import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { BytesLeft } from '../base/room.ts'
import type { FileContext } from './walk.ts'

/** Written bytes after which the disk is asked again. */
const askedAfter = 256 * 2 ** 20

type SpaceParts = Readonly<{
  context: Pick<FileContext, 'principal' | 'disk' | 'signal'>
  /** One that is there, on the same disk. */
  folder: Path
  /** Percent of the free space that are left. */
  spare: number
  /** What else is looked at from time to time. @throws what ends the work */
  onAsked?(): Promise<void>
}>

/** In the order of their beginning: a later one leaves to the earlier ones what they need. */
const running = new Set<ExtractSpace>()

export class ExtractSpace {
  readonly #parts: SpaceParts
  /** What is still to be written. */
  readonly left: BytesLeft
  #device: string | undefined
  #written = 0
  #unasked = 0
  /** Bytes that it may write in all. */
  #allowed = Number.POSITIVE_INFINITY

  /** @param bytes that will be written, as far as that is known */
  constructor(parts: SpaceParts, bytes: number) {
    this.#parts = parts
    this.left = { bytes }
  }

  /** Does the work if there is space for it, which others leave to it from then on. @throws Failure('full') */
  async during<T>(work: () => Promise<T>): Promise<T> {
    running.add(this)
    try {
      await this.#ask()
      return await work()
    } finally {
      running.delete(this)
    }
  }

  /** A part of what is left is about to be written. @throws Failure('full') */
  async take(bytes: number): Promise<void> {
    this.#written += bytes
    this.left.bytes -= bytes
    this.#unasked += bytes
    if (this.#unasked < askedAfter) return
    await this.#parts.onAsked?.()
    await this.#ask()
  }

  /** More than was known will be written. @throws Failure('full') */
  async add(bytes: number): Promise<void> {
    this.left.bytes += bytes
    if (this.#whole > this.#allowed) await this.#ask()
  }

  get #whole(): number {
    return this.#written + this.left.bytes
  }

  async #ask(): Promise<void> {
    const { context, folder, spare } = this.#parts
    const { principal, disk, signal } = context
    const { total, free, device } = await disk.usage(authorize(principal, 'read', folder), signal)
    this.#unasked = 0
    this.#device = device ?? ''
    // Of some file systems nothing is known.
    this.#allowed = total === 0 ? Number.POSITIVE_INFINITY : (free + this.#written) * (1 - spare / 100) - this.#leftOfEarlier()
    if (this.#whole > this.#allowed) throw new Failure('full', 'no space is left')
  }

  #leftOfEarlier(): number {
    let bytes = 0
    for (const one of running) {
      if (one === this) break
      if (one.#device === this.#device) bytes += Math.max(0, one.left.bytes)
    }
    return bytes
  }
}
