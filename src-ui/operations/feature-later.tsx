import type { LaterFeature } from '../core/feature.ts'
import { ChooseFolderPrompt } from './choose-folder-prompt.tsx'
import { DeletePrompt } from './delete-prompt.tsx'
import { DownloadPrompt } from './download-prompt.tsx'
import { endGoneTransfer } from './end-gone-transfer.ts'
import { InfoPrompt } from './info-prompt.tsx'
import { keepClipboard } from './keep-clipboard.ts'
import { laterCommands } from './later-commands.ts'
import { NameConflictPrompt } from './name-conflict-prompt.tsx'
import { NewEntryPrompt, RenamePrompt } from './name-prompt.tsx'
import { pickerCommands } from './picker-commands.ts'
import { TransferPrompt } from './transfer-prompt.tsx'
import { askTrash } from './trash-news.ts'

export const operationsLater = {
  commands: [...pickerCommands, ...laterCommands],
  overlays: {
    newDir: NewEntryPrompt,
    newFile: NewEntryPrompt,
    rename: RenamePrompt,
    delete: DeletePrompt,
    move: TransferPrompt,
    copy: TransferPrompt,
    chooseFolder: ChooseFolderPrompt,
    download: DownloadPrompt,
    info: InfoPrompt,
    nameConflicts: NameConflictPrompt,
  },
  follow(workspace) {
    keepClipboard(workspace, window)
    endGoneTransfer(workspace)
    if (workspace.user.value) void askTrash(workspace)
  },
} satisfies LaterFeature
