import type { LaterFeature } from '../core/feature.ts'
import { Help } from './help.tsx'
import { Palette } from './palette.tsx'

export const paletteLater = { overlays: { palette: Palette, help: Help } } satisfies LaterFeature
