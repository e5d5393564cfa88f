import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Entry } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { isSignInAsked } from '../core/session.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { splitEnding } from '../ui/file-names.ts'
import { NameInput } from '../ui/name-input.tsx'
import { rename } from './rename.ts'

/**
 * An entry's name while it is typed anew, in its row. Enter gives it, Esc leaves it as it was, and what is wrong is said
 * beside the field. Whoever goes elsewhere with the pointer or Tab has meant the name: it is given too.
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
    // Another window has come to the front, or the sign-in over the page: one goes on when the field has the focus again.
    if (document.activeElement === field.current || isSignInAsked.peek()) return
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

/** Focus in, with the ending left out of the selection; and back to the row when it ends with nobody else in focus. */
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
