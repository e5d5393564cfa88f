import { type CSSProperties, useMemo } from 'react'
import { type TileSize, tileSize } from '../core/preferences.ts'
import type { Columns, LayoutRow, Section } from './row-layout.ts'
import type { Spread } from './rubber-band.ts'
import type { PaneSize } from './use-pane-size.ts'

/** The sizes of a view in pixels; the style sheets have the same values. */
export type Measures = {
  columns: Columns
  heightOf(line: LayoutRow): number
  /** The height of a usual line. */
  lineHeight: number
  /** The heights of a tile and its picture. */
  tile: { picture: number; height: number }
}

const headingHeight = { list: 39, mosaic: 35, phone: 35 }
/** The least width of a tile, and on a phone how many are side by side. */
const tiles = {
  small: { width: 180, onPhone: 3 },
  medium: { width: 280, onPhone: 2 },
  large: { width: 420, onPhone: 1 },
} as const
const gap = 4

export function listMeasures(rowHeight: number, isPhone: boolean): Measures {
  const heading = isPhone ? headingHeight.phone : headingHeight.list
  return {
    columns: { folders: 1, files: 1 },
    heightOf: (line) => (line.kind === 'heading' ? heading : rowHeight),
    lineHeight: rowHeight,
    tile: { picture: 0, height: 0 },
  }
}

/**
 * As many tiles as fit, sharing the width. Folders have no pictures, so that their tiles keep one size; on a phone they have one
 * column.
 */
export function mosaicMeasures(width: number, isPhone: boolean, size: TileSize): Measures {
  const inside = width - 2 * (isPhone ? 8 : 12)
  const fitting = ({ width }: { width: number }) => Math.max(1, Math.floor((inside + gap) / (width + gap)))
  const files = isPhone ? tiles[size].onPhone : fitting(tiles[size])
  const tile = sizesOf((inside - (files - 1) * gap) / files, isPhone)
  const folderLine = isPhone ? 56 : 64
  return {
    columns: { folders: isPhone ? 1 : fitting(tiles.medium), files },
    heightOf: (line) => {
      if (line.kind === 'heading') return headingHeight.mosaic
      return line.section === 'folders' ? folderLine : tile.height + gap
    },
    lineHeight: tile.height + gap,
    tile,
  }
}

// Padding, picture, 8 px, two lines of text, padding.
function sizesOf(width: number, isPhone: boolean): { picture: number; height: number } {
  const padding = isPhone ? 6 : 8
  const picture = Math.round((width - 2 * padding) * (isPhone ? 3 / 4 : 10 / 16))
  return { picture, height: picture + 2 * padding + 8 + 36 }
}

/** The properties that the style sheet of the mosaic needs. */
export function mosaicStyle({ tile, columns }: Measures): CSSProperties {
  return {
    '--tile-picture': `${tile.picture}px`,
    '--tile-columns': columns.files,
    '--folder-columns': columns.folders,
  } as CSSProperties
}

/** The horizontal layout of a section, as in mosaic.css. */
export function spreadOf(section: Section, columns: Columns, isPhone: boolean): Spread {
  const count = columns[section]
  if (section === 'folders' && !isPhone && count > 1) return { count, padding: 8, gap: 20 }
  return { count, padding: 0, gap }
}

/** The measures of the current view. Memoized, because new measures lay out all lines again. */
export function useMeasures(isList: boolean, { width, rowHeight, isPhone }: PaneSize): Measures {
  const list = useMemo(() => listMeasures(rowHeight, isPhone), [rowHeight, isPhone])
  const mosaic = useMosaicMeasures(width, isPhone, tileSize.value)
  return isList ? list : mosaic
}

const useMosaicMeasures = (width: number, isPhone: boolean, size: TileSize) =>
  useMemo(() => mosaicMeasures(width, isPhone, size), [width, isPhone, size])
