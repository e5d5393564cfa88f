// What is in memory of who has sent what by one request link. Names of files are in its log alone: they may be long, and many.
import type { LinePlace } from '../state/placed-lines.ts'
import type { LineOf, RequestLine } from '../state/request-store.ts'
import { sourceOf } from '../users/source-address.ts'

/** Somebody who has sent something, or was about to. */
export type Sender = {
  readonly id: string
  readonly name?: string | undefined
  /** The address, or its network. */
  readonly source: string
  /** Milliseconds since the epoch. */
  readonly at: number
  folder?: Readonly<{ name: string; identity: string }>
  /** The name of the folder that is to be made, until it is. */
  planned?: string
  /** The ids of the uploads of what has arrived, the oldest first. */
  readonly arrivals: string[]
  /** The oldest first. */
  readonly receipts: KnownReceipt[]
  bytes: number
  lastAt?: number
}

/** A file that has arrived, and where its line is. */
export type Arrival = LinePlace & { readonly size: number; readonly sender: string; sha256?: string; receipt?: string }

/** Without the files that it is about, which are in its line. Times are milliseconds since the epoch. */
export type KnownReceipt = LinePlace & Readonly<{ number: string; at: number; files: number; bytes: number }>

/** What a file counts at least, though it is empty, and a folder that was made for one. */
const leastBytes = 4096

export const countedBytes = (size: number, folders = 0): number => Math.max(size, leastBytes) + folders * leastBytes

/** What is known of one link. */
export class Book {
  readonly senders = new Map<string, Sender>()
  /** By the ids of the uploads, the oldest first. */
  readonly arrivals = new Map<string, Arrival>()
  /** The ids of those without a checksum. */
  readonly unsummed = new Set<string>()
  /** Of all files that have arrived, with the folders that were made for them. */
  countedBytes = 0
  bytes = 0
  /** How many senders have sent a file. */
  withFiles = 0
  lastAt: number | undefined
  /** The folder of the link when the last one of a sender was planned, in the served root. */
  within: string | undefined
  isTidied = false

  get files(): number {
    return this.arrivals.size
  }

  /** Whether a line says nothing new. */
  knows(line: RequestLine): boolean {
    if (line.is === 'arrival') return this.arrivals.has(line.upload)
    const known = line.is === 'sender' ? this.senders.get(line.id) : undefined
    return line.is === 'sender' && known !== undefined && (known.name !== undefined || line.name === undefined)
  }

  add(line: RequestLine, place: LinePlace): void {
    if (this.knows(line)) return
    if (line.is === 'sender') this.#addSender(line)
    if (line.is === 'arrival') this.#addArrival(line, place)
    if (line.is === 'sum') this.#addSum(line)
    if (line.is === 'receipt') this.#addReceipt(line, place)
    if (line.is === 'folder') this.#setFolder(line)
    if (line.is === 'tidied') this.isTidied = true
  }

  #setFolder(line: LineOf<'folder'>) {
    this.within = line.within ?? this.within
    const sender = this.senders.get(line.sender)
    if (sender) setFolder(sender, line)
  }

  #addSender({ id, name, at, address }: LineOf<'sender'>) {
    const known = this.senders.get(id)
    this.senders.set(id, { id, at, source: sourceOf(address), arrivals: [], receipts: [], bytes: 0, ...known, name })
  }

  #addArrival({ upload, sender: id, size, folders, at }: LineOf<'arrival'>, place: LinePlace) {
    this.arrivals.set(upload, { ...place, size, sender: id })
    this.unsummed.add(upload)
    this.bytes += size
    this.countedBytes += countedBytes(size, folders)
    this.lastAt = at
    const sender = this.senders.get(id)
    if (!sender) return
    if (sender.arrivals.length === 0) this.withFiles++
    sender.arrivals.push(upload)
    sender.bytes += size
    sender.lastAt = at
  }

  #addSum({ upload, sha256 }: LineOf<'sum'>) {
    this.unsummed.delete(upload)
    const arrival = this.arrivals.get(upload)
    if (arrival) arrival.sha256 = sha256
  }

  #addReceipt({ sender, number, at, uploads }: LineOf<'receipt'>, place: LinePlace) {
    let bytes = 0
    for (const upload of uploads) {
      const arrival = this.arrivals.get(upload)
      if (!arrival) continue
      arrival.receipt = number
      bytes += arrival.size
    }
    this.senders.get(sender)?.receipts.push({ ...place, number, at, files: uploads.length, bytes })
  }
}

function setFolder(sender: Sender, { name, identity, isPlanned }: LineOf<'folder'>) {
  if (isPlanned) sender.planned = name
  else {
    sender.folder = { name, identity }
    delete sender.planned
  }
}
