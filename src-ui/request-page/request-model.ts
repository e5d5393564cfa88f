// What the page of a link that takes files in shows and does.
import { computed, signal, untracked } from '@preact/signals-core'
import type { Receipt } from '../../src-server/contract/requests.ts'
import { fetchReceipt, HttpFailure, leaveRequest, makeReceipt } from '../api/request-link.ts'
import { Lifetime } from '../core/lifetime.ts'
import { ServerWait } from '../sending/wait-for-server.ts'
import { askReceipt } from './ask-receipt.ts'
import { type OwnRefusal, ownRefusalOf } from './own-refusal.ts'
import { type OpenRequest, type RequestState, readRequest } from './request-state.ts'
import { FileSender } from './send-file.ts'
import { SentFiles } from './sent-files.ts'

/** Milliseconds between two questions for checksums, and how often they are asked for. */
const [sumPause, mostQuestions] = [3000, 40]

export class RequestModel {
  readonly hash: string
  readonly state = signal<RequestState>({ kind: 'failed' })
  readonly name = signal('')
  readonly isNameMissing = signal(false)
  readonly receipt = signal<Receipt | undefined>(undefined)
  readonly files: SentFiles
  /** Whether files are being sent, or have been, and no receipt is shown yet. */
  readonly isSending = computed(() => this.files.isBegun.value && this.receipt.value === undefined)
  readonly #life = new Lifetime()
  #sender: FileSender

  constructor(hash: string, first: RequestState) {
    this.hash = hash
    this.state.value = first
    this.#sender = this.#newSender()
    const wait = new ServerWait(this.#life)
    this.files = new SentFiles({
      send: async (file, how) => {
        await this.#sender.send(file, how)
        wait.reset()
      },
      drop: (file) => this.#sender.drop(file),
      refusalOf: (file) => this.open && ownRefusalOf(file, this.open),
      onRefused: () => void this.#readAgain(),
      wait: (back, seconds) => {
        if (seconds !== undefined) return this.#life.timeout(back, seconds * 1000)
        void wait.begin(() => back())
        return () => {}
      },
    })
    this.#life.effect(() => this.#followEnd())
    this.#life.listen(window, 'beforeunload', (event) => {
      if (this.files.totals.peek().open > 0 && this.files.isBegun.peek()) event.preventDefault()
    })
  }

  end(): void {
    this.#life.dispose()
  }

  /** The link as it takes files in now; undefined when it does not. */
  get open(): OpenRequest | undefined {
    const state = this.state.value
    return state.kind === 'open' ? state : undefined
  }

  /** Reads the link again, with its password. What was being sent goes on. */
  async unlock(password?: string): Promise<void> {
    const isBegun = this.files.isBegun.peek()
    this.#show(await readRequest(this.hash, password))
    if (!isBegun || !this.open) return
    this.files.begin()
    // All may have arrived before the link asked for its password.
    this.#followEnd()
  }

  /** Sends what was chosen. @returns false when the name is missing */
  begin(): boolean {
    const { open } = this
    if (!open) return false
    const isMissing = open.asksName && open.name === undefined && this.name.value.trim() === ''
    this.isNameMissing.value = isMissing
    if (!isMissing) this.files.begin()
    return !isMissing
  }

  /** The next who sends from here is somebody else. */
  async leave(): Promise<void> {
    await leaveRequest(this.hash).catch(() => undefined)
    this.name.value = ''
    this.#show(await readRequest(this.hash))
  }

  /** Back to the form. */
  async sendMore(): Promise<void> {
    this.receipt.value = undefined
    this.files.clear()
    this.#show(await readRequest(this.hash))
  }

  #show(state: RequestState) {
    this.state.value = state
    if (state.kind === 'open' && !this.files.isBegun.peek()) this.#sender = this.#newSender()
  }

  #newSender(): FileSender {
    const state = this.state.peek()
    const unfinished = state.kind === 'open' ? state.unfinished : []
    return new FileSender({ hash: this.hash, nameOfSender: () => this.name.peek(), unfinished })
  }

  async #readAgain(): Promise<void> {
    const next = await readRequest(this.hash)
    // It was refused a moment ago, and is open again, or nothing answers: what waits is sent.
    if (next.kind === 'open' || next.kind === 'failed') return void this.#life.timeout(() => this.files.begin(), sumPause)
    this.state.value = next
    const refusal: OwnRefusal = 'closed'
    if (next.kind === 'closed' || next.kind === 'gone') this.files.giveUp(refusal)
  }

  #followEnd() {
    const { open, done, failed } = this.files.totals.value
    if (!this.files.isBegun.value || open > 0 || this.receipt.peek() || this.state.peek().kind === 'gone') return
    untracked(() => {
      if (done > 0) void this.#finish()
      else if (failed === 0) this.files.clear()
    })
  }

  async #finish(): Promise<void> {
    const receipt = await askReceipt({
      make: () => makeReceipt(this.hash).catch((failure: unknown) => this.#newest(failure)),
      pause: () => this.#pause(),
      showRefused: () => this.#showNow(),
    })
    // More was added meanwhile: that comes into the next one.
    if (receipt) this.receipt.value = receipt
    if (receipt) void this.#followSums(receipt.number)
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#life.timeout(resolve, sumPause))
  }

  /** Shows what the link is now, where it gives no receipt. @returns false when nothing tells */
  async #showNow(): Promise<boolean> {
    const next = await readRequest(this.hash)
    if (next.kind === 'failed') return false
    // What was added meanwhile gets a receipt of its own.
    if (next.kind === 'open' && this.files.totals.peek().open === 0) this.files.clear()
    this.#show(next)
    return true
  }

  /** Another page of this sender has made the receipt. */
  async #newest(failure: unknown): Promise<Receipt> {
    if (!(failure instanceof HttpFailure) || failure.status !== 409) throw failure
    const state = await readRequest(this.hash)
    const [newest] = 'receipts' in state ? state.receipts : []
    if (!newest) throw failure
    return fetchReceipt(this.hash, newest.number, this.#life.signal)
  }

  /** The server computes the checksums after the files have arrived. */
  async #followSums(number: string) {
    for (let asked = 0; asked < mostQuestions; asked++) {
      const shown = this.receipt.peek()
      if (shown?.number !== number || shown.files.every(({ sha256 }) => sha256 !== undefined)) return
      await this.#pause()
      const next = await fetchReceipt(this.hash, number, this.#life.signal).catch(() => undefined)
      if (next && this.receipt.peek()?.number === number) this.receipt.value = next
    }
  }
}
