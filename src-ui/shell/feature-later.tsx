import type { LaterFeature } from '../core/feature.ts'
import { ShellHost } from './shell-host.tsx'

export const shellLater = { panels: { shell: ShellHost } } satisfies LaterFeature
