import { appFeature } from './chrome/feature.ts'
import type { Feature } from './core/feature.ts'
import { editorFeature } from './editor/feature.ts'
import { listingFeature } from './listing/feature.ts'
import { operationsFeature } from './operations/feature.ts'
import { previewFeature } from './preview/feature.ts'
import { searchFeature } from './search/feature.ts'
import { shareFeature } from './shares/feature.ts'
import { shellFeature } from './shell/feature.ts'
import { uploadsFeature } from './uploads/feature.ts'

/** In the order of the menus. */
export const features: readonly Feature[] = [
  appFeature,
  listingFeature,
  searchFeature,
  previewFeature,
  editorFeature,
  shareFeature,
  operationsFeature,
  uploadsFeature,
  shellFeature,
]
