import { signal } from '@preact/signals-core'
import { getItem, setItem } from '../core/storage.ts'

/** Per cent of the height of the main part: at least, at most, and at first. */
export const shares = { least: 20, most: 80, usual: 40 } as const

const within = (share: number) => Math.round(Math.min(shares.most, Math.max(shares.least, share)))

/** How much of the height of the main part the panel takes, in per cent. It is kept in this browser. */
export const panelShare = signal(within(Number(getItem('shellHeight')) || shares.usual))

export function setPanelShare(share: number): void {
  panelShare.value = within(share)
  setItem('shellHeight', `${panelShare.value}`)
}
