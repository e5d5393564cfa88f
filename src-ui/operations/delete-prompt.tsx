import { useEffect, useRef, useState } from 'react'
import { HttpFailure } from '../api/http.ts'
import type { Item } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { knownTrashSlice } from '../core/known-trash.ts'
import type { Opened } from '../core/overlay.ts'
import { parentOf } from '../core/paths.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { formatDays } from '../i18n/days.ts'
import { formatSize } from '../i18n/format.ts'
import { listFormat } from '../i18n/intl.ts'
import { locale } from '../i18n/locale.ts'
import { joinSentences } from '../i18n/sentences.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { visibleName } from '../ui/file-names.ts'
import { view } from '../ui/view.tsx'
import { presentItems } from './present-items.ts'
import { remove, type Untrashable } from './remove.ts'
import { reportFailed } from './report.ts'

/** The maximum number of items in the text; of more, two are named and the rest are counted. */
const named = 3

/** `why` it cannot go to the trash, and is asked about anew. */
type Question = Readonly<{ items: readonly Item[]; isForGood: boolean; why: Untrashable | undefined }>

/**
 * Asks for confirmation and says what will be deleted, and whether it goes to the trash. Deleting for good is asked apart. *Cancel* has
 * the focus.
 */
export const DeletePrompt = view(function DeletePrompt({ items, isForGood = false, onClose }: Opened<'delete'>) {
  const workspace = useWorkspace()
  const [stopping] = useState(() => new AbortController())
  const [isBusy, setBusy] = useState(false)
  const [asked, setAsked] = useState<Question>({
    items,
    isForGood,
    why: !isForGood && hasNoTrash(workspace, items) ? 'noTrash' : undefined,
  })
  const { facts } = useKnownTrash()
  const present = presentItems(useSlice(entryViewSlice), asked.items)
  // What is being deleted goes one by one.
  const shown = isBusy ? asked.items : present
  useEnd(shown.length === 0, () => {
    const failure = new HttpFailure(404, '')
    const failed = asked.items.map((item) => ({ item, failure }))
    reportFailed(workspace, t('remove.failed', { count: failed.length }), failed)
    onClose()
  })
  const isFinal = asked.isForGood || asked.why !== undefined || facts.value?.isOn === false
  useFocusOnCancel(isFinal)
  const leave = () => {
    // Cancelling during the deletion keeps the remaining items.
    stopping.abort()
    onClose()
  }
  const submit = async () => {
    setBusy(true)
    const { untrashable, whyUntrashable: why } = await remove(workspace, shown, onClose, { stopping, isForGood: isFinal })
    setBusy(false)
    if (untrashable.length > 0) setAsked({ items: untrashable, isForGood: false, why })
  }
  return (
    <Confirm
      title={titleOf(shown, isFinal)}
      description={joinSentences(
        asked.why && t(`refusal.${asked.why}`),
        wordsOf(shown),
        !isFinal && facts.value && t('prompts.delete.kept', { days: formatDays(facts.value.days) }),
        isFinal && t('prompts.delete.forGood'),
      )}
      confirm={t(isBusy ? 'prompts.delete.busy' : isFinal ? 'trash.purge' : 'action.delete')}
      icon="trash"
      busy={isBusy}
      onClose={leave}
      onConfirm={() => void submit()}
    >
      {!isFinal && !isBusy && (
        <Button
          kind="quiet"
          className="button-danger-quiet"
          label={t('trash.purge')}
          onClick={() => setAsked({ ...asked, isForGood: true })}
        />
      )}
    </Confirm>
  )
})

/** Closes the prompt when somebody else has renamed, moved or deleted all that it is about. */
function useEnd(isOver: boolean, end: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (isOver) end()
  }, [isOver])
}

/** Asked anew for each prompt: the settings may have changed. */
function useKnownTrash() {
  const known = useSlice(knownTrashSlice)
  useEffect(() => void known.ask(), [known])
  return known
}

/** Whether the folder that is shown has no trash, and the items are in it. */
function hasNoTrash(workspace: Workspace, items: readonly Item[]): boolean {
  const { value } = workspace.use(entryViewSlice).state
  return value.kind === 'folder' && value.resource.trash === false && items.every(({ path }) => parentOf(path) === value.path)
}

/** The button that had the focus goes with the question before. */
function useFocusOnCancel(isFinal: boolean): void {
  const before = useRef(isFinal)
  useEffect(() => {
    if (before.current === isFinal) return
    before.current = isFinal
    document.querySelector<HTMLElement>('.dialog [data-first-focus]')?.focus()
  }, [isFinal])
}

/** Whether items are to be deleted, or to be deleted for good. */
export function titleOf(items: readonly Pick<Item, 'name'>[], isForGood: boolean): string {
  const [only] = items
  if (items.length === 1 && only) {
    const name = isolate(visibleName(only.name))
    return isForGood ? t('trash.purgeTitleNamed', { name }) : t('prompts.delete.titleNamed', { name })
  }
  return t(isForGood ? 'trash.purgeTitle' : 'prompts.delete.title', { count: items.length })
}

/** What will be deleted, and its size. */
function wordsOf(items: readonly Item[]): string {
  const folders = items.filter(({ isDir }) => isDir)
  const size = items.reduce((sum, item) => sum + (item.isDir ? 0 : item.size), 0)
  return joinSentences(
    items.length > 1 && t('prompts.delete.names', { names: listOf(items) }),
    folders.length < items.length && t('prompts.delete.size', { size: formatSize(size) }),
    folders.length > 0 && t(folders.length === 1 ? 'prompts.delete.folder' : 'prompts.delete.folders'),
  )
}

function listOf(items: readonly Item[]): string {
  const shown = items.length > named ? items.slice(0, named - 1) : items
  const names = shown.map(({ name }) => isolate(visibleName(name)))
  const rest = items.length - shown.length
  const all = rest > 0 ? [...names, t('prompts.delete.more', { count: rest })] : names
  return listFormat(locale.value.code).format(all)
}
