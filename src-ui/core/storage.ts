import { baseURL } from '../api/page-config.ts'

// A browser may forbid storage altogether; then things last as long as the page.
const kept = new Map<string, string>()

/** The key of something of ours: several instances may live below one origin. */
export const storageKey = (name: string): string => `holdall${baseURL}:${name}`

export function getItem(name: string): string | undefined {
  try {
    return localStorage.getItem(storageKey(name)) ?? undefined
  } catch {
    return kept.get(name)
  }
}

/** Keeps a value in this browser; undefined forgets it. */
export function setItem(name: string, value: string | undefined): void {
  if (value === undefined) kept.delete(name)
  else kept.set(name, value)
  try {
    if (value === undefined) localStorage.removeItem(storageKey(name))
    else localStorage.setItem(storageKey(name), value)
  } catch {
    // Kept in memory above.
  }
}
