import type { LaterFeature } from '../core/feature.ts'
import { QuickLookHost } from './quick-look-host.tsx'

export const previewLater = { overlays: { quickLook: QuickLookHost } } satisfies LaterFeature
