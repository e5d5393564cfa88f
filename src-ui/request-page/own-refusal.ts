import type { OpenRequest } from './request-state.ts'
import type { SentFile } from './sent-files.ts'

/** Why the page itself does not send a file. */
export type OwnRefusal = 'kind' | 'folder' | 'closed' | TooLarge

/** Of a file that is larger than the link allows. The limit is in it, as the link may be closed later, or changed. */
export class TooLarge {
  /** Bytes. */
  readonly most: number

  constructor(most: number) {
    this.most = most
  }
}

/** @returns undefined for a file that is sent */
export function ownRefusalOf({ name, size }: Pick<SentFile, 'name' | 'size'>, open: OpenRequest): OwnRefusal | undefined {
  const ending = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase().normalize('NFC')
  if (open.endings && !(ending !== undefined && open.endings.includes(ending))) return 'kind'
  if (!open.hasFolders && name.includes('/')) return 'folder'
  return size > open.mostFileBytes ? new TooLarge(open.mostFileBytes) : undefined
}
