import type { LaterFeature } from '../core/feature.ts'
import { ShareHost } from './share-host.tsx'

export const sharesLater = { overlays: { share: ShareHost } } satisfies LaterFeature
