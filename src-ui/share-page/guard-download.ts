import type { MouseEvent } from 'react'
import { startDownload } from '../api/download.ts'
import { assertDownload } from '../api/shared.ts'
import { type SharedState, stateOf } from './shared-state.ts'

/** Called with what the page has to show instead, when a link was withdrawn or asks for its password again. */
export type OnRefused = (state: SharedState) => void

/**
 * For the link of a download: asks first whether there is still something, because a browser says no more of a refused download
 * than that it failed. Without JavaScript, and in a new tab, the link works by itself.
 */
export const guardDownload = (onRefused: OnRefused) => (event: MouseEvent<HTMLAnchorElement>) => {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  void download(event.currentTarget.href, onRefused)
}

async function download(address: string, onRefused: OnRefused): Promise<void> {
  try {
    await assertDownload(address)
  } catch (failure) {
    const state = stateOf(failure)
    // A busy server is asked again by the browser, which says more of its own failures than this page can.
    if (state.kind !== 'failed') {
      onRefused(state)
      return
    }
  }
  startDownload(address)
}

/** A whole address, for programs outside of this page. */
export const addressInPage = (address: string): string => new URL(address, location.href).href
