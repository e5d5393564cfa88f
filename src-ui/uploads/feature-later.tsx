import type { LaterFeature } from '../core/feature.ts'
import { CancelPrompt } from './cancel-prompt.tsx'
import { UploadConflictPrompt } from './upload-conflict-prompt.tsx'
import { UploadsPanel } from './uploads-panel.tsx'

export const uploadsLater = {
  overlays: { uploadConflicts: UploadConflictPrompt, cancelUploads: CancelPrompt },
  panels: { transfers: UploadsPanel },
} satisfies LaterFeature
