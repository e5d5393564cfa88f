import type { Command } from '../core/command.ts'
import { noticesSlice } from '../core/notices.ts'
import type { Workspace } from '../core/workspace.ts'
import { formatNumber } from '../i18n/format.ts'
import { type Key, t } from '../i18n/t.ts'
import { isOnControl } from './on-control.ts'
import { previewSlice } from './preview.ts'

type Act = (player: HTMLMediaElement, workspace: Workspace) => void

/** Keys that go on while they are held. */
const repeating = ['J', 'L', '<', '>']
/** Seconds of a jump. */
const longJump = 10
/** The slowest speed, which is also the step between two, and the fastest. */
const [slowest, fastest] = [0.25, 2]

/** The keys that players of videos and recordings share. */
export const playerCommands: readonly Command[] = [
  playing('toggle', 'preview.command.play', ['K'], (player) => {
    // The arrow keys are the player's from now on: it seeks and changes the volume by itself.
    player.focus({ preventScroll: true })
    togglePlaying(player)
  }),
  playing('space', 'preview.command.play', ['Space'], togglePlaying),
  playing('back', 'preview.command.jumpBack', ['J'], (player) => jump(player, -longJump)),
  playing('ahead', 'preview.command.jumpAhead', ['L'], (player) => jump(player, longJump)),
  playing('mute', 'preview.command.mute', ['M'], (player) => {
    player.muted = !player.muted
  }),
  playing('fullScreen', 'preview.command.fullScreen', ['F'], toggleFullScreen),
  playing('slower', 'preview.command.slower', ['<'], (player, workspace) => changeSpeed(player, workspace, -1)),
  playing('faster', 'preview.command.faster', ['>'], (player, workspace) => changeSpeed(player, workspace, 1)),
  ...Array.from({ length: 10 }, (_, digit) =>
    playing(`part.${digit}`, 'preview.command.part', [`${digit}`], (player) => {
      if (Number.isFinite(player.duration)) player.currentTime = (player.duration * digit) / 10
    }),
  ),
]

function playing(id: string, label: Key, keys: readonly string[], act: Act): Command {
  return {
    id: `player.${id}`,
    label,
    keys,
    scope: 'player',
    keyOnly: true,
    repeats: keys.some((key) => repeating.includes(key)),
    takesKey: () => !keys.includes('Space') || !handlesSpace(),
    run: (workspace) => onPlayer(workspace, act),
  }
}

// Space presses the button with the focus. A player with the focus plays and pauses by itself: it acts before the page's listener.
const handlesSpace = () => isOnControl() || document.activeElement instanceof HTMLMediaElement

function onPlayer(workspace: Workspace, act: Act): void {
  const player = workspace.use(previewSlice).player.peek()
  if (player) act(player, workspace)
}

function togglePlaying(player: HTMLMediaElement): void {
  if (player.paused) player.play().catch(() => undefined)
  else player.pause()
}

function jump(player: HTMLMediaElement, seconds: number): void {
  player.currentTime = Math.min(player.duration || 0, Math.max(0, player.currentTime + seconds))
}

function changeSpeed(player: HTMLMediaElement, workspace: Workspace, by: 1 | -1): void {
  player.playbackRate = Math.min(fastest, Math.max(slowest, player.playbackRate + by * slowest))
  workspace.use(noticesSlice).announce(t('preview.speed', { speed: formatNumber(player.playbackRate, 2) }))
}

// A phone shows only videos in full screen, and asks for nothing.
function toggleFullScreen(player: HTMLMediaElement): void {
  if (document.fullscreenElement) void document.exitFullscreen()
  else if (player instanceof HTMLVideoElement) player.requestFullscreen?.().catch(() => undefined)
}
