// After an update of the server an old page asks for parts that are gone.
import { signal } from '@preact/signals-core'
import { isGone } from '../api/http.ts'

/** Whether the server has a newer version of this page. */
export const isOutdated = signal(false)

/** How many screens wait for their part. When it is missing they say in its place that there is a new version. */
export const waitingScreens = signal(0)

/** Finds out whether a part is missing because the page is old: then its own script is gone too. Its name says its content. */
export async function checkVersion(script = scriptOf()): Promise<void> {
  if (script === undefined) return
  if (await isGone(script)) isOutdated.value = true
}

const scriptOf = () =>
  typeof document === 'undefined' ? undefined : document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src
