import type { TrashItem } from '../../src-server/contract/trash.ts'
import { baseURL } from '../api/page-config.ts'

type Content = Pick<TrashItem, 'id' | 'isDir' | 'type'>

/** Kinds that the browser shows in a tab of their own; others it downloads. */
const shown: readonly TrashItem['type'][] = ['text', 'textImmutable', 'image', 'audio', 'video', 'pdf']

/** The address of the content of a file of the trash; undefined for a folder, which is not entered. */
export function trashedAddress({ id, isDir, type }: Content): string | undefined {
  if (isDir) return undefined
  return `${baseURL}/api/trash/raw/${encodeURIComponent(id)}${shown.includes(type) ? '?inline=true' : ''}`
}

/** All addresses of a file of the trash: what is downloaded, what is shown, and a smaller picture. */
export function trashedAddresses({ id }: Pick<Content, 'id'>): { raw: string; inline: string; big: string } {
  const encoded = encodeURIComponent(id)
  const raw = `${baseURL}/api/trash/raw/${encoded}`
  return { raw, inline: `${raw}?inline=true`, big: `${baseURL}/api/trash/preview/big/${encoded}?inline=true` }
}
