import type { FC } from 'react'
import type { Command } from './command.ts'
import type { Opened, OverlayKinds } from './overlay.ts'
import type { Slice, Workspace } from './workspace.ts'

/** What a feature brings to the first page: its `feature.ts`. `features.ts` lists them in the order of the menus. */
export type Feature = Readonly<{
  commands?: readonly Command[]
  /** Those that every workspace has from the start. */
  slices?: readonly Slice<object>[]
  /** Called for each new workspace, when it has the slices of all features. */
  start?(workspace: Workspace): void
}>

/** What a feature brings with the overlays, after the first page: its `feature-later.tsx`. `overlays.tsx` lists them. */
export type LaterFeature = Readonly<{
  /** Those of its overlays, which nothing else offers. */
  commands?: readonly Command[]
  /** What draws a kind of overlay, gets its data, and closes it. */
  overlays?: { readonly [K in keyof OverlayKinds]?: FC<Opened<K>> }
  /** What stands below the listing, or floats above its end. */
  panels?: Readonly<Record<string, FC>>
  /** What a workspace does from then on. */
  follow?(workspace: Workspace): void
}>
