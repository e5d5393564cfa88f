import { nextEpoch } from './session-commands.ts'
import type { SigningKey, StateDraft } from './state-data.ts'

export const keyCommands = {
  /**
   * Replaces all keys, so that nothing that was signed before is right. All sessions end, and what goes on without one.
   * @returns how many sessions there were
   */
  rotateKeys(draft: StateDraft, { key }: { key: SigningKey }): { sessions: number } {
    const sessions = draft.sessions.length
    draft.keys = [key]
    draft.sessions = []
    draft.users = draft.users.map((user) => ({ ...user, accessEpoch: nextEpoch(user) }))
    return { sessions }
  },
}
