import { useEffect, useMemo, useRef, useState } from 'react'
import type { Item } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { knownTrashSlice } from '../core/known-trash.ts'
import { noticesSlice } from '../core/notices.ts'
import type { Opened } from '../core/overlay.ts'
import { parentOf } from '../core/paths.ts'
import { presentItems } from '../core/present-items.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import type { Workspace } from '../core/workspace.ts'
import { formatDays } from '../i18n/days.ts'
import { joinSentences } from '../i18n/sentences.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'
import { type Counted, changedWords, isNameable, leftOutWords, titleOf, wordsOf } from './delete-words.ts'
import { folderSize } from './folder-size.ts'
import { leadingTo, linksText, useLinks } from './leading-links.ts'
import { remove, type Untrashable } from './remove.ts'
import { reportGone } from './report.ts'

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
    items: items.filter(isNameable),
    isForGood,
    why: !isForGood && hasNoTrash(workspace, items) ? 'noTrash' : undefined,
  })
  const { facts } = useKnownTrash()
  const links = useLinks()
  const present = presentItems(useSlice(entryViewSlice), asked.items)
  // What is being deleted goes one by one.
  const shown = isBusy ? asked.items : present
  useEnd(shown.length === 0, () => {
    onClose()
    if (asked.items.length === 0) {
      const text = t('remove.failed', { count: items.length })
      workspace.use(noticesSlice).fail(text, t('listing.unreachable.name'))
      return
    }
    reportGone(workspace, t('remove.failed', { count: asked.items.length }), asked.items)
  })
  const counted = useCounted(asked.items, isBusy)
  const changed = changedWords(items, shown)
  useAnnounced(changed)
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
        // What somebody else has taken away was counted too.
        wordsOf(shown, shown.length === asked.items.length ? counted : { isComplete: false }),
        changed,
        leftOutWords(items),
        !isFinal && facts.value && t('prompts.delete.kept', { days: formatDays(facts.value.days) }),
        linksText(leadingTo(shown, links).length, isFinal),
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

/** Counts what the folders hold, until the deletion begins. */
function useCounted(items: readonly Item[], isBusy: boolean): Counted {
  const size = useMemo(() => folderSize(items.filter(({ isDir }) => isDir).map(({ path }) => path)), [items])
  useEffect(() => {
    if (isBusy) return
    void size.run()
    return () => size.stop()
  }, [size, isBusy])
  const { value } = size.state
  if (value.kind === 'done') return { holds: value.value, isComplete: true }
  return { holds: 'progress' in value ? value.progress : undefined, isComplete: false }
}

/** Screen readers read the question once, when it opens. */
function useAnnounced(text: string | false): void {
  const notices = useSlice(noticesSlice)
  useEffect(() => {
    if (text) notices.announce(text)
  }, [notices, text])
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
