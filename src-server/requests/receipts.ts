// What is said to senders of what has arrived of them. A number is at random, and enough for nobody else to read one.
import { randomInt } from 'node:crypto'
import { Failure } from '../base/failure.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import type { Receipt, ReceiptList } from '../contract/requests.ts'
import type { Sender } from './book.ts'
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
      const { arrivals } = this.#books.find(hash) ?? {}
      const uploads = this.#sender(about)?.arrivals.filter((upload) => arrivals?.get(upload)?.receipt === undefined) ?? []
      if (uploads.length === 0) throw new Failure('conflict', 'nothing has arrived since the last receipt')
      const receipt = { is: 'receipt', sender, number: newNumber(), at: this.#now(), uploads } as const
      await this.#books.add(hash, receipt)
      return this.#shown(about, receipt)
    }, `${hash} ${sender}`)
  }

  /** @throws Failure('notFound') also for somebody else's */
  async find(about: About, number: string): Promise<Receipt> {
    const receipt = this.#sender(about)?.receipts.find((one) => one.number === number)
    if (!receipt) throw new Failure('notFound')
    return this.#shown(about, { ...receipt, uploads: await this.#books.uploadsOf(about.hash, receipt) })
  }

  #sender({ hash, sender }: About): Sender | undefined {
    return this.#books.find(hash)?.senders.get(sender)
  }

  async #shown({ hash, title, name }: About, { number, at, uploads }: Shown): Promise<Receipt> {
    const files = await this.#books.arrivals(hash, uploads)
    return {
      ...{ number, at: seconds(at), title, ...(name !== undefined && { name }) },
      files: files.map(({ name: file, size, at: arrived, sha256 }) => {
        return { name: file, size, at: seconds(arrived), ...(sha256 !== undefined && { sha256 }) }
      }),
    }
  }
}

type Shown = Readonly<{ number: string; at: number; uploads: readonly string[] }>

/** The newest first. */
export function receiptsIn({ receipts }: Pick<Sender, 'receipts'>): ReceiptList {
  return receipts.map(({ number, at, files, bytes }) => ({ number, at: seconds(at), files, bytes })).reverse()
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

export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** `XX-XXXX-XX` */
function newNumber(): string {
  const text = Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
  return [text.slice(0, 2), text.slice(2, 6), text.slice(6)].join('-')
}
