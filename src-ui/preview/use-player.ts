import { type RefObject, useEffect, useState } from 'react'
import { assertServed } from '../api/http.ts'
import { fileViewSlice } from '../core/file-view.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { contentAddress, type ShownFile } from './content-address.ts'
import { followPosition, positionKey } from './positions.ts'
import { previewSlice } from './preview.ts'

type Player = {
  /** Why it does not play. */
  failure: unknown
  retry(): void
}

/** Makes a media element the player of the keys, continues where it was left, and finds out why it fails. */
export function usePlayer(element: RefObject<HTMLMediaElement | null>, file: ShownFile, onEnded?: () => boolean): Player {
  const workspace = useWorkspace()
  const preview = workspace.use(previewSlice)
  const fileView = workspace.use(fileViewSlice)
  const [failure, setFailure] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller has a key for each file
  useEffect(() => {
    const player = element.current
    if (!player) return
    const key = positionKey(workspace.user.peek()?.id, file.path, file.size)
    let [goesOn, isLeft] = [false, false]
    const ending = new AbortController()
    const keep = followPosition(player, key, ending.signal)
    const listen = (name: string, work: () => void) => player.addEventListener(name, work, { signal: ending.signal })
    listen('loadedmetadata', () => {
      preview.details.value = detailsOf(player)
    })
    listen('ended', () => {
      goesOn = true
      goesOn = onEnded?.() ?? false
    })
    listen('error', () => {
      // The browser does not say why: the server does, and asks to sign in when the session has ended.
      assertServed(contentAddress(file)).then(
        () => isLeft || setFailure(player.error ?? new Error('error')),
        (cause: unknown) => isLeft || setFailure(cause),
      )
    })
    addEventListener('pagehide', keep, { signal: ending.signal })
    preview.player.value = player
    const { playsNext } = preview
    if (playsNext === 'always' || (playsNext === 'whenOpened' && fileView.wasOpened())) player.play().catch(() => undefined)
    return () => {
      isLeft = true
      preview.playsNext = goesOn || !(player.paused || player.ended) ? 'always' : 'never'
      keep()
      ending.abort()
      preview.player.value = undefined
      preview.details.value = ''
      // Stops loading: an element that was removed goes on until it is collected.
      player.pause()
      player.removeAttribute('src')
      player.load()
    }
  }, [attempt])
  const retry = () => {
    setFailure(undefined)
    setAttempt(attempt + 1)
  }
  return { failure, retry }
}

function detailsOf(player: HTMLMediaElement): string {
  const pixels = player instanceof HTMLVideoElement && player.videoWidth > 0 ? `${player.videoWidth} × ${player.videoHeight}` : ''
  return [pixels, Number.isFinite(player.duration) ? lengthOf(player.duration) : ''].filter(Boolean).join(' · ')
}

/** `2:14`, `1:02:03` */
export function lengthOf(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}
