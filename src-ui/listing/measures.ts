import { type CSSProperties, useMemo } from 'react'
import { type TileSize, tileSize } from '../core/preferences.ts'
import type { Columns, LayoutRow, Section } from './row-layout.ts'
import type { Spread } from './rubber-band.ts'
import type { PaneSize } from './use-pane-size.ts'

/** The sizes of a view; the style sheets have the same values. */
export type Measures = {
  columns: Columns
  /** In pixels. */
  heightOf(line: LayoutRow): number
  /** The height of a usual line in pixels. */
  lineHeight: number
  /** The height of the picture of a tile, in units. */
  picture: number
  /** Pixels of a unit: a sixteenth of the browser's size of type, in which all sizes below are written. */
  unit: number
}

const headingHeight = { list: 39, mosaic: 35, phone: 35 }
/** The least width of a tile in units, and on a phone how many are side by side. */
const tiles = {
  small: { width: 180, onPhone: 3 },
  medium: { width: 280, onPhone: 2 },
  large: { width: 420, onPhone: 1 },
} as const
const gap = 4

export function listMeasures(rowHeight: number, isPhone: boolean, unit = 1): Measures {
  const heading = (isPhone ? headingHeight.phone : headingHeight.list) * unit
  return {
    columns: { folders: 1, files: 1 },
    heightOf: (line) => (line.kind === 'heading' ? heading : rowHeight),
    lineHeight: rowHeight,
    picture: 0,
    unit,
  }
}

/**
 * As many tiles as fit, sharing the width. Folders have no pictures, so that their tiles keep one size; on a phone they have one
 * column.
 */
export function mosaicMeasures(width: number, isPhone: boolean, size: TileSize, unit = 1): Measures {
  const inside = width / unit - 2 * (isPhone ? 8 : 12)
  const fitting = ({ width }: { width: number }) => Math.max(1, Math.floor((inside + gap) / (width + gap)))
  const files = isPhone ? tiles[size].onPhone : fitting(tiles[size])
  const padding = isPhone ? 6 : 8
  const picture = Math.round(((inside - (files - 1) * gap) / files - 2 * padding) * (isPhone ? 3 / 4 : 10 / 16))
  // Padding, picture, space, two lines of text, padding.
  const lineHeight = (picture + 2 * padding + 8 + 36 + gap) * unit
  return {
    columns: { folders: isPhone ? 1 : fitting(tiles.medium), files },
    heightOf: (line) => {
      if (line.kind === 'heading') return headingHeight.mosaic * unit
      return line.section === 'folders' ? (isPhone ? 56 : 64) * unit : lineHeight
    },
    lineHeight,
    picture,
    unit,
  }
}

/** The properties that the style sheet of the mosaic needs. */
export function mosaicStyle({ picture, columns }: Measures): CSSProperties {
  return {
    '--tile-picture': `${picture / 16}rem`,
    '--tile-columns': columns.files,
    '--folder-columns': columns.folders,
  } as CSSProperties
}

/** The horizontal layout of a section, as in mosaic.css. */
export function spreadOf(section: Section, { columns, unit }: Measures, isPhone: boolean): Spread {
  const count = columns[section]
  if (section === 'folders' && !isPhone && count > 1) return { count, padding: 8 * unit, gap: 20 * unit }
  return { count, padding: 0, gap: gap * unit }
}

/** The measures of the current view. Memoized, because new measures lay out all lines again. */
export function useMeasures(isList: boolean, { width, rowHeight, isPhone, unit }: PaneSize): Measures {
  const list = useMemo(() => listMeasures(rowHeight, isPhone, unit), [rowHeight, isPhone, unit])
  const mosaic = useMosaicMeasures(width, isPhone, tileSize.value, unit)
  return isList ? list : mosaic
}

const useMosaicMeasures = (width: number, isPhone: boolean, size: TileSize, unit: number) =>
  useMemo(() => mosaicMeasures(width, isPhone, size, unit), [width, isPhone, size, unit])
