import { useMemo } from 'react'
import { listMeasures, type Measures, mosaicMeasures } from './measures.ts'
import type { PaneSize } from './use-space.ts'

/** Made anew only when it has to be: new measures lay out every line anew. */
export function useMeasures(isList: boolean, { width, rowHeight, isPhone }: PaneSize): Measures {
  const list = useMemo(() => listMeasures(rowHeight, isPhone), [rowHeight, isPhone])
  const mosaic = useMemo(() => mosaicMeasures(width, isPhone), [width, isPhone])
  return isList ? list : mosaic
}
