import { previewAddress, rawAddress } from '../api/addresses.ts'
import type { Entry } from '../core/entries.ts'

/**
 * A file that is shown; `trashed`: the addresses of one that is in the trash, which has no path, and `deletedAt`, in milliseconds since
 * 1970: when it was modified is not known then.
 */
export type ShownFile = Entry & { trashed?: TrashedAddresses; deletedAt?: number }
export type TrashedAddresses = Readonly<{ raw: string; inline: string; big: string }>

/** The address of the content of a file, wherever it is. */
export function contentAddress({ path, trashed }: ShownFile, { inline = false } = {}): string {
  if (trashed) return inline ? trashed.inline : trashed.raw
  return rawAddress(path, { inline })
}

/** The address of a smaller picture of it. */
export const bigPictureAddress = ({ path, trashed }: ShownFile): string => trashed?.big ?? previewAddress(path, 'big')
