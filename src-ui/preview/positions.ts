// Where videos and long recordings were left, kept in this browser.
import { getItem, setItem } from '../core/storage.ts'

/** The maximum number of files; the oldest are forgotten first. */
export const mostPositions = 100
/** Seconds at the beginning and at the end that count as not begun and as finished. */
const margin = 10

type Positions = readonly (readonly [key: string, seconds: number])[]

/** The key of a file. It is a number, so that the browser keeps no names of files after a sign-out. */
export function positionKey(...parts: readonly (string | number | undefined)[]): string {
  let [one, other] = [0x811c9dc5, 0x1b873593]
  for (const character of parts.join('\0')) {
    const code = character.codePointAt(0) as number
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other + code, 0x85ebca6b) ^ (other >>> 13)
  }
  return `${(one >>> 0).toString(36)}.${(other >>> 0).toString(36)}`
}

/** Seconds from the beginning; 0 when nothing is known. */
export const positionOf = (key: string): number => read().find(([one]) => one === key)?.[1] ?? 0

/** Keeps a position; at the beginning and at the end it forgets it. */
export function keepPosition(key: string, seconds: number, duration: number): void {
  const others = read().filter(([one]) => one !== key)
  const isMiddle = seconds >= margin && seconds <= duration - margin
  const kept = isMiddle ? [...others, [key, Math.floor(seconds)] as const].slice(-mostPositions) : others
  setItem('positions', kept.length > 0 ? JSON.stringify(kept) : undefined)
}

/** A media element, as far as its position is kept. */
type Played = Pick<HTMLMediaElement, 'addEventListener' | 'currentTime' | 'duration' | 'localName'>

/** Seconds of playing between two times at which the position is kept. */
const keepingInterval = 5
/** Seconds from which a recording is long enough to be continued later. */
const longRecording = 600

/**
 * Continues a file where it was left, and keeps where it is left.
 * @returns what keeps the position now: the element is about to go
 */
export function followPosition(player: Played, key: string, signal: AbortSignal): () => void {
  let keptAt = 0
  let isContinued = false
  const keep = () => {
    // Until then the element is at its beginning, and the kept position is where it was left.
    if (!isContinued) return
    keptAt = player.currentTime
    if (player.localName === 'video' || player.duration >= longRecording) keepPosition(key, player.currentTime, player.duration)
  }
  const listen = (name: string, work: () => void) => player.addEventListener(name, work, { signal })
  listen('loadedmetadata', () => {
    const position = positionOf(key)
    if (position > 0 && position < player.duration) player.currentTime = position
    isContinued = true
  })
  listen('timeupdate', () => Math.abs(player.currentTime - keptAt) >= keepingInterval && keep())
  listen('pause', keep)
  return keep
}

function read(): Positions {
  try {
    const kept: unknown = JSON.parse(getItem('positions') ?? '[]')
    return Array.isArray(kept) ? (kept as Positions) : []
  } catch {
    // Written by something else.
    return []
  }
}
