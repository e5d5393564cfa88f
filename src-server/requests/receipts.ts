// What is said to senders of what has arrived of them. A number is at random, and enough for nobody else to read one.
import { randomInt } from 'node:crypto'
import { Failure } from '../base/failure.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import type { Receipt, ReceiptList } from '../contract/requests.ts'
import type { LineOf, RequestLine } from '../state/request-store.ts'
import type { Books } from './books.ts'

/** Without those that look alike. */
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

type About = Readonly<{ hash: string; sender: string; title: string; name: string | undefined }>

export class Receipts {
  readonly #books: Books
  readonly #now: () => number
  /** By link and sender: two at once would name the same files. */
  readonly #queue = new SerialQueue()

  constructor(books: Books, now: () => number) {
    this.#books = books
    this.#now = now
  }

  /** @throws Failure('conflict') when all that has arrived is in one */
  make(about: About): Promise<Receipt> {
    const { hash, sender } = about
    return this.#queue.run(async () => {
      const own = ofSender(await this.#books.lines(hash), sender)
      const named = new Set(own.receipts.flatMap(({ uploads }) => uploads))
      const uploads = own.arrivals.map(({ upload }) => upload).filter((upload) => !named.has(upload))
      if (uploads.length === 0) throw new Failure('conflict', 'nothing has arrived since the last receipt')
      const receipt = { is: 'receipt', sender, number: newNumber(), at: this.#now(), uploads } as const
      await this.#books.add(hash, receipt)
      return shown(own, receipt, about)
    }, `${hash} ${sender}`)
  }

  /** @throws Failure('notFound') also for somebody else's */
  async find(about: About, number: string): Promise<Receipt> {
    const own = ofSender(await this.#books.lines(about.hash), about.sender)
    const receipt = own.receipts.find((one) => one.number === number)
    if (!receipt) throw new Failure('notFound')
    return shown(own, receipt, about)
  }
}

export type OfSender = Readonly<{
  arrivals: readonly LineOf<'arrival'>[]
  receipts: readonly LineOf<'receipt'>[]
  /** By upload. */
  sums: ReadonlyMap<string, string>
}>

/** What is said of one sender, the oldest first. */
export function ofSender(lines: readonly RequestLine[], sender: string): OfSender {
  const arrivals: LineOf<'arrival'>[] = []
  const receipts: LineOf<'receipt'>[] = []
  const sums = new Map<string, string>()
  for (const line of lines) {
    if (line.is === 'arrival' && line.sender === sender) arrivals.push(line)
    if (line.is === 'receipt' && line.sender === sender) receipts.push(line)
    if (line.is === 'sum') sums.set(line.upload, line.sha256)
  }
  return { arrivals, receipts, sums }
}

/** The newest first. */
export function receiptsIn({ arrivals, receipts }: OfSender): ReceiptList {
  const sizes = new Map(arrivals.map(({ upload, size }) => [upload, size]))
  const bytesOf = (uploads: readonly string[]) => uploads.reduce((sum, upload) => sum + (sizes.get(upload) ?? 0), 0)
  const all = receipts.map(({ number, at, uploads }) => ({
    ...{ number, at: seconds(at), files: uploads.length, bytes: bytesOf(uploads) },
  }))
  return all.reverse()
}

/** A receipt as a text. Names have no control characters in it. */
export function receiptText({ number, at, title, name, files }: Receipt): string {
  const plain = (text: string) => text.replace(/\p{C}/gu, '\ufffd')
  const heads = [plain(title), ...(name === undefined ? [] : [plain(name)]), number, new Date(at * 1000).toISOString()]
  const rows = files.map(({ name: file, size, at: arrived, sha256 = '-' }) =>
    [new Date(arrived * 1000).toISOString(), size, sha256, plain(file)].join('  '),
  )
  return `${[...heads, '', ...rows].join('\n')}\n`
}

function shown({ arrivals, sums }: OfSender, { number, at, uploads }: LineOf<'receipt'>, { title, name }: About): Receipt {
  const named = new Set(uploads)
  const files = arrivals.filter(({ upload }) => named.has(upload))
  return {
    ...{ number, at: seconds(at), title, ...(name !== undefined && { name }) },
    files: files.map(({ upload, name: file, size, at: arrived }) => {
      const sha256 = sums.get(upload)
      return { name: file, size, at: seconds(arrived), ...(sha256 !== undefined && { sha256 }) }
    }),
  }
}

export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** `XX-XXXX-XX` */
function newNumber(): string {
  const text = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
  return [text.slice(0, 2), text.slice(2, 6), text.slice(6)].join('-')
}
