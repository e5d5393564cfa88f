import type { LaterFeature } from '../core/feature.ts'
import { followLive } from './live-folder.ts'

export const listingLater = { follow: followLive } satisfies LaterFeature
