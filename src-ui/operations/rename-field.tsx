import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Entry } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { splitEnding } from '../ui/file-names.ts'
import { NameInput } from '../ui/name-input.tsx'
import { rename } from './rename.ts'

/**
 * The field for a new name in the row of an entry. Enter renames, Esc cancels, errors are shown below the field. Leaving the
 * field with the pointer or Tab renames too.
 */
export function RenameField({ entry }: { entry: Entry }) {
  const workspace = useWorkspace()
  const notices = workspace.use(noticesSlice)
  const overlays = workspace.use(overlaysSlice)
  const [name, setName] = useState(entry.name)
  const [problem, setProblem] = useState<string>()
  const isGiven = useRef(false)
  const field = useStemSelected(entry)

  const give = async (follow: boolean): Promise<string | undefined> => {
    if (isGiven.current) return undefined
    isGiven.current = true
    const refused = await rename(workspace, entry, name, { follow })
    isGiven.current = false
    if (!refused) overlays.close('rename')
    return refused
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setProblem(await give(true))
  }
  const leave = async () => {
    // Another window got the focus; the field still has it in this one.
    if (document.activeElement === field.current) return
    overlays.close('rename')
    const refused = name.trim() === '' ? undefined : await give(false)
    if (refused) notices.fail(t('prompts.rename.notDone', { name: isolate(entry.name) }), refused)
  }

  return (
    <form className="rename" noValidate onSubmit={(event) => void submit(event)}>
      <NameInput
        ref={field}
        label={t('prompts.rename.name')}
        value={name}
        problem={problem}
        onValue={(value) => {
          setName(value)
          setProblem(undefined)
        }}
        onBlur={() => void leave()}
      />
    </form>
  )
}

/** Focuses the field and selects the name without its ending; afterwards focuses the row unless another element has the focus. */
function useStemSelected({ key, name }: Entry) {
  const entryView = useSlice(entryViewSlice)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(0, splitEnding(name)[0].length)
    return () => {
      if (document.activeElement === document.body) entryView.reveal(key, 'quietly')
    }
  }, [entryView, key, name])
  return field
}
