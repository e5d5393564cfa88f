import { signal } from '@preact/signals-core'
import { getItem, setItem } from './storage.ts'

/** Whether the sidebar is shown as a column, on a screen that is wide enough. */
export const sidebarShown = signal(getItem('sidebar') !== 'closed')

export function showSidebar(shown: boolean): void {
  sidebarShown.value = shown
  setItem('sidebar', shown ? undefined : 'closed')
}

/** How wide the tiles of the mosaic are. */
export const tileSizes = ['small', 'medium', 'large'] as const
export type TileSize = (typeof tileSizes)[number]
/** Whether a thumbnail is shown whole, or cropped so that it fills its tile. */
export const tileFits = ['whole', 'cropped'] as const
export type TileFit = (typeof tileFits)[number]

export const tileSize = signal(tileSizes.find((size) => size === getItem('tileSize')) ?? 'medium')
export const tileFit = signal(tileFits.find((fit) => fit === getItem('tileFit')) ?? 'cropped')

export function setTileSize(size: TileSize): void {
  tileSize.value = size
  setItem('tileSize', size)
}

export function setTileFit(fit: TileFit): void {
  tileFit.value = fit
  setItem('tileFit', fit)
}

/** The format of the archive that was downloaded last in this browser. */
export const lastArchiveFormat = (): string | undefined => getItem('archiveFormat')
export const rememberArchiveFormat = (format: string): void => setItem('archiveFormat', format)

/** `data-theme` for a configured theme: undefined leaves it to the system. */
export function themeOf(configured: string): 'light' | 'dark' | undefined {
  return configured === 'dark' || configured === 'light' ? configured : undefined
}
