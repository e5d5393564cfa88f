import type { KeyboardEvent, PointerEvent } from 'react'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { panelShare, setPanelShare, shares } from './panel-share.ts'

/** Per cent by which an arrow key changes the height. */
const step = 5

/** The line between listing and panel, which changes the height of the panel by pointer and by keys. */
export const Grip = view(function Grip() {
  const share = panelShare.value
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is no <hr>
    <div
      className="shell-grip"
      role="separator"
      aria-orientation="horizontal"
      aria-label={t('shell.height')}
      aria-valuenow={share}
      aria-valuemin={shares.least}
      aria-valuemax={shares.most}
      tabIndex={0}
      onPointerDown={capture}
      onPointerMove={drag}
      onKeyDown={(event) => move(event, share)}
    />
  )
})

function capture(event: PointerEvent<HTMLElement>): void {
  if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId)
}

function drag({ currentTarget, pointerId, clientY }: PointerEvent<HTMLElement>): void {
  const main = currentTarget.closest('.main')?.getBoundingClientRect()
  if (!main || !currentTarget.hasPointerCapture(pointerId)) return
  setPanelShare(((main.bottom - clientY) / main.height) * 100)
}

function move(event: KeyboardEvent, share: number): void {
  const keys: Readonly<Record<string, number>> = {
    ArrowUp: share + step,
    ArrowDown: share - step,
    Home: shares.least,
    End: shares.most,
  }
  const next = keys[event.key]
  if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return
  event.preventDefault()
  setPanelShare(next)
}
