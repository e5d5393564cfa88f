import { flushSync } from 'react-dom'
import { actsSlice, mayChange } from '../acts/acts.ts'
import type { Command } from '../core/command.ts'
import type { LaterFeature } from '../core/feature.ts'
import type { Workspace } from '../core/workspace.ts'
import { jobsSlice } from '../jobs/jobs.ts'
import { CancelPrompt } from './cancel-prompt.tsx'
import { followUploads } from './ongoing-uploads.ts'
import { focusActs } from './panel-focus.ts'
import { unfinishedSlice } from './unfinished.ts'
import { UploadConflictPrompt } from './upload-conflict-prompt.tsx'
import { UploadsPanel } from './uploads-panel.tsx'
import { uploadsSlice } from './uploads-slice.ts'

/** Where no uploads are hidden whose command shows the panel. */
const showJobs: Command = {
  id: 'jobs.show',
  label: 'uploads.show',
  icon: 'upload',
  scope: 'everywhere',
  places: ['more'],
  group: 'upload',
  allowed: (workspace) => mayShow(workspace) && !workspace.use(uploadsSlice).mayShowPanel(),
  run(workspace) {
    workspace.use(jobsSlice).show()
    workspace.use(unfinishedSlice).show()
    workspace.use(uploadsSlice).isPanelOpen.value = true
  },
}

const mayShow = (workspace: Workspace): boolean =>
  workspace.use(jobsSlice).mayShow.value || workspace.use(unfinishedSlice).mayShow.value

const showActs: Command = {
  id: 'acts.show',
  label: 'acts.title',
  icon: 'clock',
  scope: 'everywhere',
  places: ['more'],
  group: 'undo',
  allowed: mayChange,
  run(workspace) {
    flushSync(() => {
      workspace.use(actsSlice).isShown.value = true
      workspace.use(uploadsSlice).isPanelOpen.value = true
    })
    focusActs()
  },
}

export const uploadsLater = {
  follow(workspace) {
    followUploads(workspace)
    if (workspace.user.peek() && workspace.may('create')) workspace.use(unfinishedSlice).follow()
  },
  commands: [showJobs, showActs],
  overlays: { uploadConflicts: UploadConflictPrompt, cancelUploads: CancelPrompt },
  panels: { transfers: UploadsPanel },
} satisfies LaterFeature
