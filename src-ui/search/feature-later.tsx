import type { LaterFeature } from '../core/feature.ts'
import { Search } from './search-overlay.tsx'

export const searchLater = { overlays: { search: Search } } satisfies LaterFeature
