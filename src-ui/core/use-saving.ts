import { useState } from 'react'
import { HttpFailure } from '../api/http.ts'
import { failureReason, isSignedOut, saidBy } from './failure-reason.ts'
import { noticesSlice } from './notices.ts'
import { Unconfirmed } from './proof.ts'
import { useSlice } from './use-workspace.ts'

type Save = {
  /** What is done. Its failure is reported. */
  work: () => Promise<unknown>
  /** What a notice says afterwards; undefined: nothing. */
  done: () => string | undefined
  /** What was not done, for the notice of a failure. */
  failed: string
  /** Looks at a failure first. @returns whether it has reported it */
  onFailure?: (failure: unknown) => boolean
}

/** Saves a form: one attempt at a time, with a notice about its end. */
export function useSaving(): { isBusy: boolean; save: (how: Save) => Promise<boolean> } {
  const notices = useSlice(noticesSlice)
  const [isBusy, setBusy] = useState(false)
  const save = async ({ work, done, failed, onFailure }: Save) => {
    if (isBusy) return false
    setBusy(true)
    try {
      await work()
      const said = done()
      if (said !== undefined) notices.succeed(said)
      return true
    } catch (failure) {
      const isKnown = isSignedOut(failure) || failure instanceof Unconfirmed
      if (!isKnown && !onFailure?.(failure)) notices.fail(failed, settingsFailureReason(failure))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, save }
}

/** Why settings were not stored: the server's own reason, because it says what would be valid. */
export function settingsFailureReason(failure: unknown): string {
  const hasReason = failure instanceof HttpFailure && failure.reason !== undefined
  return hasReason ? saidBy(failure) : failureReason(failure)
}
