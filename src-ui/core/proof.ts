// What takes over an account needs a fresh proof: when the sign-in is too old, the server asks for the password once more.
import type { RefusalCode } from '../../src-server/contract/refusals.ts'
import { HttpFailure } from '../api/http.ts'
import { type Overlays, overlaysSlice } from './overlay.ts'
import { useSlice } from './use-workspace.ts'

declare module './overlay.ts' {
  interface OverlayKinds {
    /** Asks for one's own password. `attempt` throws while another password may help. */
    confirmPassword: { attempt: (password: string) => Promise<void> }
  }
}

/** Sends a change, with one's own password when it is asked for. */
export type SendChange<T> = (currentPassword?: string) => Promise<T>

/** The person was asked for the password and gave none. */
export class Unconfirmed extends Error {}

/** @returns what sends a change, and asks for the password in place when the server wants it */
export function useProof(): <T>(send: SendChange<T>, asksAlways?: boolean) => Promise<T> {
  const overlays = useSlice(overlaysSlice)
  return (send, asksAlways) => sendWithProof(overlays, send, asksAlways)
}

/**
 * Sends a change. When the server wants a fresh proof, the person is asked for the password and the change is sent again.
 * @param asksAlways asks before the first attempt
 * @throws Unconfirmed when the person gives no password, otherwise what `send` throws
 */
export async function sendWithProof<T>(overlays: Overlays, send: SendChange<T>, asksAlways = false): Promise<T> {
  try {
    if (!asksAlways) return await send()
  } catch (failure) {
    if (!isUnproven(failure)) throw failure
  }
  return new Promise<T>((resolve, reject) => {
    let isRunning = false
    let isClosed = false
    const attempt = async (password: string) => {
      isRunning = true
      try {
        resolve(await send(password))
      } catch (failure) {
        if (!isAboutPassword(failure)) reject(failure)
        else if (isClosed) reject(new Unconfirmed())
        else throw failure
      } finally {
        isRunning = false
      }
      prompt.withdraw()
    }
    const prompt = overlays.ask({ kind: 'confirmPassword', attempt }, () => {
      isClosed = true
      // What is on its way cannot be taken back: its outcome counts.
      if (!isRunning) reject(new Unconfirmed())
    })
  })
}

/** Whether the server refused a password as wrong. */
export const isWrongPassword = (failure: unknown): boolean => isRefused(failure, 'wrongPassword')

/** Another password, or the same a little later, may help: wrong, asked too often, busy, not reached. */
const isAboutPassword = (failure: unknown) =>
  isWrongPassword(failure) || (failure instanceof HttpFailure && [0, 429, 503].includes(failure.status))

const isUnproven = (failure: unknown) => isRefused(failure, 'proofNeeded')

const isRefused = (failure: unknown, code: RefusalCode) => failure instanceof HttpFailure && failure.refusal?.code === code
