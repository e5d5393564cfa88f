import { baseURL } from '../api/page-config.ts'

// Used when the browser forbids storage: values then last as long as the page.
const kept = new Map<string, string>()

/** The key of a value. It contains the base URL, because one origin may have several instances. */
export const storageKey = (name: string): string => `holdall${baseURL}:${name}`

export function getItem(name: string): string | undefined {
  try {
    return localStorage.getItem(storageKey(name)) ?? undefined
  } catch {
    return kept.get(name)
  }
}

/** Stores a value in this browser; undefined removes it. */
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
