import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Entry } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { isSignInAsked } from '../core/session.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { NameInput } from '../ui/name-input.tsx'
import { view } from '../ui/view.tsx'
import { type RenameDraft, renameDraftsSlice } from './rename-draft.ts'

/**
 * The field for a new name in the row of an entry. Enter renames, Esc cancels, errors are shown below the field. Leaving the
 * field with the pointer or Tab renames too.
 */
export const RenameField = view(function RenameField({ entry }: { entry: Entry }) {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  const drafts = workspace.use(renameDraftsSlice)
  const [draft] = useState(() => drafts.draftOf(entry.name))
  const field = useFocus(entry, draft)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    void drafts.give(entry, draft)
  }
  const leave = () => {
    // Another window or the sign-in prompt got the focus; the field gets it back.
    if (document.activeElement === field.current || isSignInAsked.peek()) return
    overlays.close('rename')
    if (draft.name.peek().trim() !== '') void drafts.give(entry, draft, { follow: false })
  }

  return (
    <form className="rename" noValidate onSubmit={submit}>
      <NameInput
        ref={field}
        label={t('prompts.rename.name')}
        value={draft.name.value}
        problem={draft.problem.value}
        onValue={(value) => {
          draft.name.value = value
          draft.problem.value = undefined
        }}
        onSelect={({ currentTarget }) => {
          draft.range = [currentTarget.selectionStart ?? 0, currentTarget.selectionEnd ?? 0]
        }}
        onBlur={leave}
      />
    </form>
  )
})

/** Focuses the field and restores the selection of the draft; afterwards focuses the row unless another element has the focus. */
function useFocus({ key }: Entry, draft: RenameDraft) {
  const entryView = useSlice(entryViewSlice)
  const field = useRef<HTMLInputElement>(null)
  // Runs before the clean-up of the field that this one replaces, which would focus the row.
  useLayoutEffect(() => {
    const { range } = draft
    field.current?.focus()
    field.current?.setSelectionRange(...range)
  }, [draft])
  useEffect(
    () => () => {
      if (document.activeElement === document.body) entryView.reveal(key, 'quietly')
    },
    [entryView, key],
  )
  return field
}
