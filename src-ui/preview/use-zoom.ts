import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useWorkspace } from '../core/use-workspace.ts'
import { previewSlice } from './preview.ts'
import {
  bounded,
  cycledZoom,
  type Frame,
  fittedSize,
  type Point,
  steppedZoom,
  unzoomed,
  type ZoomState,
  zoomedAt,
} from './zoom.ts'

/** Milliseconds of rest after which a picture is moved back into a stage that has another size. */
export const resizeDelay = 100

/** How the picture is zoomed and moved, and what changes it. Points count in pixels from the middle of the stage. */
export type Zoom = {
  state: ZoomState
  /** The state now: a gesture changes it more often than the page is drawn. */
  now(): ZoomState
  set(next: ZoomState): void
  zoomTo(zoom: number, at?: Point): void
  /** Moves it as far as it goes. */
  panBy(by: Point): void
  cycle(at: Point): void
}

const middle: Point = { x: 0, y: 0 }

export function useZoom(stage: RefObject<HTMLElement | null>, picture: HTMLImageElement | undefined, isEnlarged: boolean): Zoom {
  const preview = useWorkspace().use(previewSlice)
  const [state, setState] = useState(unzoomed)
  const latest = useRef(state)
  const frame = useRef<() => Frame>(() => emptyFrame)
  frame.current = () => frameOf(stage.current, picture, isEnlarged)
  const actions = useMemo(() => {
    const set = (next: ZoomState) => {
      latest.current = next
      preview.zoom.value = next.zoom
      setState(next)
    }
    const zoomTo = (zoom: number, at = middle) => set(zoomedAt(latest.current, zoom, at, frame.current()))
    const panBy = ({ x, y }: Point) =>
      set(bounded({ ...latest.current, x: latest.current.x + x, y: latest.current.y + y }, frame.current()))
    const cycle = (at: Point) => zoomTo(cycledZoom(latest.current.zoom), at)
    return { now: () => latest.current, set, zoomTo, panBy, cycle, rebound: () => panBy(middle) }
  }, [preview])
  useEffect(() => {
    if (!picture) return
    preview.picture.value = {
      zoomBy: (steps) => actions.zoomTo(steppedZoom(actions.now().zoom, steps)),
      reset: () => actions.set(unzoomed),
      pan: actions.panBy,
    }
    return () => {
      preview.picture.value = undefined
      preview.zoom.value = 1
    }
  }, [preview, actions, picture])
  useResize(stage, actions.rebound)
  return { state, ...actions }
}

/** Calls `work` when the stage has had another size for a while. */
function useResize(stage: RefObject<HTMLElement | null>, work: () => void): void {
  useEffect(() => {
    if (!stage.current) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new ResizeObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(work, resizeDelay)
    })
    observer.observe(stage.current)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [stage, work])
}

const emptyFrame: Frame = { stage: { width: 0, height: 0 }, picture: { width: 0, height: 0 } }

function frameOf(stage: HTMLElement | null, picture: HTMLImageElement | undefined, isEnlarged: boolean): Frame {
  if (!stage || !picture) return emptyFrame
  const size = { width: stage.clientWidth, height: stage.clientHeight }
  const natural = { width: picture.naturalWidth, height: picture.naturalHeight }
  return { stage: size, picture: fittedSize(natural, size, isEnlarged) }
}
