import { useEffect } from 'react'
import type { Entry } from '../core/entries.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { kindOf } from './kinds.ts'
import { prefetchedSlice } from './prefetched.ts'
import { previewSlice } from './preview.ts'

/** Bytes beyond which a file is not loaded ahead. */
const largestAhead = 30_000_000

/** Loads the next picture while this one is looked at. Nothing is loaded ahead for people who save data. */
export function usePrefetch(next: Entry | undefined): void {
  const workspace = useWorkspace()
  const prefetched = workspace.use(prefetchedSlice)
  const { isFullSize, isShown } = workspace.use(previewSlice)
  const [isFull, isReady] = [isFullSize.value, isShown.value]
  const isWanted = next !== undefined && kindOf(next) === 'picture' && next.size <= largestAhead && !savesData()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a picture is the same while its path is
  useEffect(() => {
    // The shown picture comes first.
    if (isReady && isWanted && workspace.may('download')) prefetched.prepare(next, isFull)
  }, [prefetched, next?.path, isWanted, isFull, isReady])
  useEffect(() => () => prefetched.drop(), [prefetched])
}

const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false
