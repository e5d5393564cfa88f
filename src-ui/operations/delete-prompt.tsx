import { useState } from 'react'
import type { Item } from '../core/entries.ts'
import type { Opened } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { formatSize } from '../i18n/format.ts'
import { listFormat } from '../i18n/intl.ts'
import { locale } from '../i18n/locale.ts'
import { joinSentences } from '../i18n/sentences.ts'
import { isolate, t } from '../i18n/t.ts'
import { Confirm } from '../ui/dialog.tsx'
import { visibleName } from '../ui/file-names.ts'
import { view } from '../ui/view.tsx'
import { remove } from './remove.ts'

/** The maximum number of items in the text; of more, two are named and the rest are counted. */
const named = 3

/** Asks for confirmation and says what will be deleted. *Cancel* has the focus. */
export const DeletePrompt = view(function DeletePrompt({ items, onClose }: Opened<'delete'>) {
  const workspace = useWorkspace()
  const [stopping] = useState(() => new AbortController())
  const [isBusy, setBusy] = useState(false)
  const leave = () => {
    // Cancelling during the deletion keeps the remaining items.
    stopping.abort()
    onClose()
  }
  const submit = async () => {
    setBusy(true)
    await remove(workspace, items, onClose, stopping)
    setBusy(false)
  }
  return (
    <Confirm
      title={titleOf(items)}
      description={wordsOf(items)}
      confirm={t(isBusy ? 'prompts.delete.busy' : 'action.delete')}
      icon="trash"
      busy={isBusy}
      onClose={leave}
      onConfirm={() => void submit()}
    />
  )
})

function titleOf(items: readonly Item[]): string {
  const [only] = items
  if (items.length === 1 && only) return t('prompts.delete.titleNamed', { name: isolate(visibleName(only.name)) })
  return t('prompts.delete.title', { count: items.length })
}

/** The text: what will be deleted, its size, and that it cannot be undone. */
function wordsOf(items: readonly Item[]): string {
  const folders = items.filter(({ isDir }) => isDir)
  const size = items.reduce((sum, item) => sum + (item.isDir ? 0 : item.size), 0)
  return joinSentences(
    items.length > 1 && t('prompts.delete.names', { names: listOf(items) }),
    folders.length < items.length && t('prompts.delete.size', { size: formatSize(size) }),
    folders.length > 0 && t(folders.length === 1 ? 'prompts.delete.folder' : 'prompts.delete.folders'),
    t('prompts.delete.forGood'),
  )
}

function listOf(items: readonly Item[]): string {
  const shown = items.length > named ? items.slice(0, named - 1) : items
  const names = shown.map(({ name }) => isolate(visibleName(name)))
  const rest = items.length - shown.length
  const all = rest > 0 ? [...names, t('prompts.delete.more', { count: rest })] : names
  return listFormat(locale.value.code).format(all)
}
