import type { Share, ShareChanges } from '../../src-server/contract/shares.ts'

/** What the form of a link that is there holds, as it was typed. */
export type EditDraft = Readonly<{
  note: string
  /** '' keeps the present one, or none. */
  password: string
  /** The present password is removed. */
  isRemoved: boolean
  /** The password was too short to be sent. */
  isRefused?: boolean
}>

export const draftOf = ({ note }: Share): EditDraft => ({ note, password: '', isRemoved: false })

/** What is sent: only what changes. */
export function changesOf(share: Share, { note, password, isRemoved }: EditDraft): ShareChanges {
  return {
    ...(note.trim() !== share.note && { note: note.trim() }),
    ...(isRemoved ? { password: '' } : password !== '' && { password }),
  }
}
