import { batch, effect, signal } from '@preact/signals-core'
import type { FC } from 'react'
import { fail } from './core/notices.ts'
import { close, type Overlay, overlay } from './core/overlay.ts'
import { trackTask } from './core/tasks.ts'
import { t } from './i18n/t.ts'
import { listingState } from './listing/listing.ts'
import { loadedMenu } from './ui/lazy-menu.tsx'

/** What lies over the page, once its code is here. */
export const overlays = signal<{ ContextMenu: FC; Dialogs: FC } | undefined>(undefined)

let loading: Promise<void> | undefined
/** At rest it is asked for once: whoever wants it after that waits for an attempt of their own, not for one that fails already. */
let wasTried = false

/**
 * Loads what lies over the page when the page has shown what was asked for and rests, so that a key press finds it there;
 * and at once when something is opened before. @returns what ends it
 */
export function loadOverlays(): () => void {
  return effect(() => {
    if (overlays.value) return
    if (needsOverlays(overlay.value)) void trackTask({ label: t('app.loading') }, load).catch(refuse)
    else if (listingState.value.kind !== 'nothing' && !wasTried) whenIdle(() => void load().catch(() => undefined))
  })
}

/** The sidebar, and a name that is typed in its row, belong to the page itself. */
const needsOverlays = (open: Overlay): boolean =>
  open.kind !== 'none' && open.kind !== 'sidebar' && !(open.kind === 'rename' && open.inPlace)

function load(): Promise<void> {
  loading ??= loadNow().finally(() => {
    loading = undefined
  })
  return loading
}

async function loadNow(): Promise<void> {
  wasTried = true
  const { ContextMenu, Dialogs, Menu } = await import('./overlays.tsx')
  batch(() => {
    overlays.value = { ContextMenu, Dialogs }
    loadedMenu.value = Menu
  })
}

// What was opened cannot be shown: the page goes on without it, and it is asked for again the next time.
function refuse(): void {
  close()
  fail(t('app.notLoaded'), t('app.notLoadedText'))
}

// Safari has no idle callback.
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work)
  else setTimeout(work, 300)
}
