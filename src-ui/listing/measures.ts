import { useMemo } from 'react'
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
const tileWidth = 280
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

/** As many tiles of at least 280 px as fit, sharing the width; on a phone two columns of files and one of folders. */
export function mosaicMeasures(width: number, isPhone: boolean): Measures {
  const inside = width - 2 * (isPhone ? 8 : 12)
  const files = isPhone ? 2 : Math.max(1, Math.floor((inside + gap) / (tileWidth + gap)))
  const tile = tileSize((inside - (files - 1) * gap) / files, isPhone)
  const folderLine = isPhone ? 56 : 64
  return {
    columns: { folders: isPhone ? 1 : files, files },
    heightOf: (line) => {
      if (line.kind === 'heading') return headingHeight.mosaic
      return line.section === 'folders' ? folderLine : tile.height + gap
    },
    lineHeight: tile.height + gap,
    tile,
  }
}

// Padding, picture, 8 px, two lines of text, padding.
function tileSize(width: number, isPhone: boolean): { picture: number; height: number } {
  const padding = isPhone ? 6 : 8
  const picture = Math.round((width - 2 * padding) * (isPhone ? 3 / 4 : 10 / 16))
  return { picture, height: picture + 2 * padding + 8 + 36 }
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
  const mosaic = useMemo(() => mosaicMeasures(width, isPhone), [width, isPhone])
  return isList ? list : mosaic
}
