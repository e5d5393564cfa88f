import { signal } from '@preact/signals-core'
import type { Scope } from '../core/command.ts'
import { fileViewSlice, isText } from '../core/file-view.ts'
import { screenScopesSlice } from '../core/keyboard.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import type { ShownFile } from './content-address.ts'
import { kindOf, kinds } from './kinds.ts'
import type { Point } from './zoom.ts'

/** What commands do with the picture that is shown. */
export type PictureControl = {
  zoomBy(steps: 1 | -1): void
  reset(): void
  /** Moves it by pixels. */
  pan(by: Point): void
}

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** The menu of the subtitles of a video. */
    subtitles: object
    /** The selected entry over the list. */
    quickLook: object
    /** A file of the trash. */
    trashedLook: { file: ShownFile; onRestore(): void }
  }
}

/** The state of the preview screen that commands use. The components set it. */
export class Preview {
  /** Whether pictures are shown in full resolution instead of a smaller size. */
  readonly isFullSize = signal(false)
  readonly picture = signal<PictureControl | undefined>(undefined)
  /** The zoom of the picture. */
  readonly zoom = signal(1)
  /** Whether the picture has arrived. */
  readonly isShown = signal(false)
  readonly player = signal<HTMLMediaElement | undefined>(undefined)
  /** What the header says of the shown file besides its position and size: pixels, length, pages. */
  readonly details = signal('')
  /** The path of the subtitles that are shown. */
  readonly subtitles = signal<string | undefined>(undefined)
  /** Whether the next video or audio file plays by itself: when it is opened from the listing, or because the one before was playing. */
  playsNext: 'whenOpened' | 'always' | 'never' = 'whenOpened'

  constructor(workspace: Workspace) {
    const { file } = workspace.use(fileViewSlice)
    const { ofFile } = workspace.use(screenScopesSlice)
    workspace.effect(() => {
      const scopes: readonly Scope[] = file.value ? kinds[kindOf(file.value)].scopes : []
      ofFile.value = file.value && isText(file.value) ? [] : scopes
      if (!scopes.includes('player')) this.playsNext = file.value ? 'never' : 'whenOpened'
    })
  }
}

export const previewSlice = slice('preview', (workspace) => new Preview(workspace))
