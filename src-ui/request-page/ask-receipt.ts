// Gets the receipt of what somebody has sent by a link.
import type { Receipt } from '../../src-server/contract/requests.ts'
import { HttpFailure } from '../api/request-link.ts'

type Asking = Readonly<{
  make(): Promise<Receipt>
  /** Resolves when it may be asked for again. */
  pause(): Promise<void>
  /** Shows why there is none. @returns false when nothing tells that */
  showRefused(): Promise<boolean>
}>

/** Asks until there is an answer. @returns undefined for one that refuses it, when that is shown */
export async function askReceipt({ make, pause, showRefused }: Asking): Promise<Receipt | undefined> {
  for (;;) {
    try {
      return await make()
    } catch (failure) {
      if (isRefused(failure) && (await showRefused())) return undefined
      await pause()
    }
  }
}

/** Whether the same is answered when it is asked again. */
const isRefused = (failure: unknown): boolean =>
  failure instanceof HttpFailure && failure.status >= 400 && failure.status < 500 && ![408, 429].includes(failure.status)
