import type { Command } from '../core/command.ts'
import {
  setTileFit,
  setTileSize,
  type TileFit,
  type TileSize,
  tileFit,
  tileFits,
  tileSize,
  tileSizes,
} from '../core/preferences.ts'
import type { Workspace } from '../core/workspace.ts'
import { listingSlice } from './listing.ts'

const labels = {
  small: 'command.smallTiles',
  medium: 'command.mediumTiles',
  large: 'command.largeTiles',
  whole: 'command.wholePictures',
  cropped: 'command.croppedPictures',
} as const

/** The commands that choose how the tiles of the mosaic look, in this browser. */
export const tileCommands: readonly Command[] = [...tileSizes.map(sizeCommand), ...tileFits.map(fitCommand)]

function isMosaic(workspace: Workspace): boolean {
  const listing = workspace.use(listingSlice)
  return listing.isFolderShown() && listing.viewMode.value === 'mosaic'
}

function sizeCommand(size: TileSize): Command {
  return {
    id: `tiles.${size}`,
    label: labels[size],
    icon: 'layout-grid',
    scope: 'listing',
    places: ['view'],
    group: 'tileSize',
    allowed: isMosaic,
    checked: () => tileSize.value === size,
    run: () => setTileSize(size),
  }
}

function fitCommand(fit: TileFit): Command {
  return {
    id: `tiles.${fit}`,
    label: labels[fit],
    icon: 'layout-grid',
    scope: 'listing',
    places: ['view'],
    group: 'tileFit',
    allowed: isMosaic,
    checked: () => tileFit.value === fit,
    run: () => setTileFit(fit),
  }
}
