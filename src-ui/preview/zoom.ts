// The arithmetic of zooming and moving a picture.

export type Point = { x: number; y: number }
/** Pixels. */
export type Size = { width: number; height: number }
/** `zoom` 1 fits the stage. `x` and `y` are the pixels by which the middle of the picture is moved from that of the stage. */
export type ZoomState = { zoom: number } & Point
/** The stage, and the picture as it is drawn at zoom 1. */
export type Frame = { stage: Size; picture: Size }

export const smallestZoom = 0.25
export const largestZoom = 4
export const zoomStep = 0.25
export const unzoomed: ZoomState = { zoom: 1, x: 0, y: 0 }

export const clampZoom = (zoom: number): number => Math.min(largestZoom, Math.max(smallestZoom, zoom))

/** The next multiple of the step above or below. */
export function steppedZoom(zoom: number, by: 1 | -1): number {
  const steps = zoom / zoomStep
  // A pinch ends between two steps.
  const next = by > 0 ? Math.floor(steps + 1e-6) + 1 : Math.ceil(steps - 1e-6) - 1
  return clampZoom(next * zoomStep)
}

/** What a double click does: 1, 2, 4, and 1 again. */
export function cycledZoom(zoom: number): number {
  if (zoom < 1 || zoom >= 4) return 1
  return zoom < 2 ? 2 : 4
}

/** Moves the picture back until no more of the stage than necessary is empty. */
export function bounded({ zoom, x, y }: ZoomState, { stage, picture }: Frame): ZoomState {
  const limit = (offset: number, size: number, room: number) => {
    const most = Math.max(0, (size * zoom - room) / 2)
    return Math.min(most, Math.max(-most, offset)) || 0
  }
  return { zoom, x: limit(x, picture.width, stage.width), y: limit(y, picture.height, stage.height) }
}

/** Zooms so that what is under a point stays there. @param point from the middle of the stage */
export function zoomedAt(from: ZoomState, zoom: number, point: Point, frame: Frame): ZoomState {
  const wanted = clampZoom(zoom)
  const factor = wanted / from.zoom
  const moved = (offset: number, at: number) => at - (at - offset) * factor
  return bounded({ zoom: wanted, x: moved(from.x, point.x), y: moved(from.y, point.y) }, frame)
}

/** The size at which a picture is drawn at zoom 1: as large as fits, and not enlarged. */
export function fittedSize(natural: Size, stage: Size, mayEnlarge = false): Size {
  const fit = Math.min(stage.width / (natural.width || 1), stage.height / (natural.height || 1))
  const scale = mayEnlarge ? fit : Math.min(1, fit)
  return { width: natural.width * scale, height: natural.height * scale }
}
