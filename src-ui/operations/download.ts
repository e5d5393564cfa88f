import { archiveAddress, rawAddress, ticketAddress } from '../api/addresses.ts'
import { startDownload } from '../api/download.ts'
import { assertServed, call } from '../api/http.ts'
import type { Item } from '../core/entries.ts'
import { failureReason, isSignedOut } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { nameOf } from '../core/paths.ts'
import { lastArchiveFormat, rememberArchiveFormat } from '../core/preferences.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'

/** The formats of archives: the name that the server knows, and the ending that people know. */
export const archiveFormats = [
  { name: 'zip', ending: 'zip' },
  { name: 'tar', ending: 'tar' },
  { name: 'targz', ending: 'tar.gz' },
  { name: 'tarbz2', ending: 'tar.bz2' },
  { name: 'tarxz', ending: 'tar.xz' },
  { name: 'tarlz4', ending: 'tar.lz4' },
  { name: 'tarsz', ending: 'tar.sz' },
] as const
export type ArchiveFormat = (typeof archiveFormats)[number]['name']

/** What an archive is made of: entries, or with none the folder itself. */
export type Packed = Readonly<{ items: readonly Item[]; folder: string }>

/** The format of the last download in this browser; zip before the first. */
export function usualFormat(): ArchiveFormat {
  const last = lastArchiveFormat()
  return archiveFormats.find(({ name }) => name === last)?.name ?? 'zip'
}

/** Downloads a file. */
export function downloadFile(workspace: Workspace, file: Pick<Item, 'path' | 'name'> | undefined): Promise<boolean> {
  if (!file) return Promise.resolve(false)
  return download(workspace, file.name, async () => rawAddress(file.path))
}

/** Downloads entries or a folder as one archive, and remembers the format. @returns whether it has begun */
export async function downloadArchive(workspace: Workspace, packed: Packed, format: ArchiveFormat): Promise<boolean> {
  const begun = await download(workspace, shownName(packed), () => addressOf(packed, format))
  if (begun) rememberArchiveFormat(format)
  return begun
}

/** The name of the only entry or of the folder, else the number of entries. */
export function shownName({ items, folder }: Packed): string {
  const [only, ...others] = items
  if (others.length > 0) return t('download.items', { count: items.length })
  return only?.name ?? (nameOf(folder) || t('sidebar.myFiles'))
}

/** Bytes of an address that every proxy passes on: many refuse those over 8 KiB. */
const longestAddress = 6144

async function addressOf({ items, folder }: Packed, format: ArchiveFormat): Promise<string> {
  const [only, ...others] = items
  if (!only) return archiveAddress(folder, [], format)
  if (only.isDir && others.length === 0) return archiveAddress(only.path, [], format)
  const above = folder === '/' ? '/' : `${folder}/`
  const isHere = items.every(({ path }) => path.startsWith(above))
  const names = items.map(({ path }) => path.slice(isHere ? above.length : 1))
  const from = isHere ? folder : '/'
  const address = archiveAddress(from, names, format)
  if (address.length <= longestAddress) return address
  const { ticket } = await call('POST /api/archives', { body: { folder: from, files: names, algo: format } })
  return ticketAddress(ticket)
}

/**
 * The browser does not report a refused download to the page, so the address is checked first, and a notice shows the reason.
 */
async function download(workspace: Workspace, name: string, makeAddress: () => Promise<string>): Promise<boolean> {
  try {
    const address = await makeAddress()
    await assertServed(address)
    startDownload(address)
    return true
  } catch (failure) {
    if (!isSignedOut(failure)) {
      const text = t('download.failed', { name: isolate(name) })
      workspace.use(noticesSlice).fail(text, failureReason(failure))
    }
    return false
  }
}
