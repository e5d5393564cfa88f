import { useEffect, useState } from 'react'
import type { SearchResult } from '../../src-server/contract/search.ts'
import { readLines } from '../api/lines.ts'
import type { Entry } from '../core/entries.ts'
import { useWorkspace } from '../core/use-workspace.ts'

/** The maximum number of folders; when they are found, the search ends. */
const mostFolders = 20
/** Milliseconds after a key press before the server is asked. */
const typingPause = 150
/** With a single letter almost every folder would be found. */
const fewestLetters = 2

const none: readonly Entry[] = []

/** The folders anywhere whose names contain all typed words, as they are found. Those of the text before stay until then. */
export function useFolders(typed: string): { folders: readonly Entry[]; isSearching: boolean } {
  const workspace = useWorkspace()
  const [folders, setFolders] = useState(none)
  const [isSearching, setSearching] = useState(false)
  useEffect(() => {
    const query = folderQuery(typed)
    if (query === undefined) {
      setFolders(none)
      return
    }
    const stopping = new AbortController()
    setSearching(true)
    const clearPause = workspace.timeout(() => {
      const signal = AbortSignal.any([stopping.signal, workspace.signal])
      // Without the server the palette has its commands and the folders that are shown.
      void findFolders(query, signal, setFolders)
        .catch(() => setFolders(none))
        .finally(() => !stopping.signal.aborted && setSearching(false))
    }, typingPause)
    return () => {
      clearPause()
      stopping.abort()
      setSearching(false)
    }
  }, [typed, workspace])
  return { folders, isSearching }
}

/** Each word in quotes, so that none counts as a filter. */
function folderQuery(typed: string): string | undefined {
  const words = typed.replaceAll('"', ' ').split(/\s+/).filter(Boolean).slice(0, 15)
  if (words.join('').length < fewestLetters) return undefined
  return ['type:folder', ...words.map((word) => `"${word.slice(0, 60)}"`)].join(' ')
}

async function findFolders(query: string, signal: AbortSignal, tell: (folders: readonly Entry[]) => void): Promise<void> {
  const ending = new AbortController()
  const found: Entry[] = []
  const both = AbortSignal.any([signal, ending.signal])
  try {
    for await (const lines of readLines('GET /api/search/*', { path: '/', query: { query }, signal: both })) {
      if (signal.aborted) return
      for (const line of lines) if ('path' in line) found.push(folderOf(line as SearchResult))
      tell(found.slice(0, mostFolders))
      if (found.length >= mostFolders) break
    }
    if (!signal.aborted) tell(found.slice(0, mostFolders))
  } catch (failure) {
    if (!signal.aborted) throw failure
  } finally {
    ending.abort()
  }
}

function folderOf({ dir, path, marks: _, ...item }: SearchResult): Entry {
  return { ...item, path: `/${path}`, key: `/${path}`, isDir: dir }
}
