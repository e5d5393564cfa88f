import { type FocusEvent, useRef, useState } from 'react'
import { entryViewSlice } from '../core/entry-view.ts'
import type { Opened } from '../core/overlay.ts'
import { nameOf } from '../core/paths.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { splitEnding } from '../ui/file-names.ts'
import { view } from '../ui/view.tsx'
import { makeFile, makeFolder } from './make.ts'
import { rename } from './rename.ts'

type Props = {
  onClose: () => void
  title: string
  /** The field's name. */
  label: string
  submitLabel: string
  hint?: string
  placeholder?: string
  /** The initial text; all of it except the ending is selected. */
  start?: string
  /** @returns an error message; undefined on success */
  onSubmit: (name: string) => Promise<string | undefined>
}

/** Asks for a name. Errors are shown below the field. */
const NamePrompt = view(function NamePrompt({
  onClose,
  title,
  label,
  submitLabel,
  hint,
  placeholder,
  start = '',
  onSubmit,
}: Props) {
  const [name, setName] = useState(start)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const selectStem = useStemSelected(start)
  const trimmed = name.trim()

  const submit = async () => {
    if (trimmed === '' || isBusy) return
    setBusy(true)
    const refused = await onSubmit(trimmed)
    setBusy(false)
    if (refused) setProblem(refused)
    else onClose()
  }
  const change = (value: string) => {
    setName(value)
    setProblem(undefined)
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button kind="quiet" label={t('action.cancel')} onClick={onClose} />
          <Button kind="primary" submit label={submitLabel} disabled={trimmed === ''} busy={isBusy} />
        </>
      }
    >
      <Field
        onFocus={selectStem}
        label={label}
        hint={hint}
        error={problem}
        placeholder={placeholder}
        value={name}
        onChange={(event) => change(event.target.value)}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
      />
    </Dialog>
  )
})

/** Selects the name without its ending, once, when the field gets the focus: phones then move the cursor to the end. */
function useStemSelected(name: string) {
  const isSelected = useRef(false)
  return ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    if (isSelected.current) return
    isSelected.current = true
    currentTarget.setSelectionRange(0, splitEnding(name)[0].length)
  }
}

/** Asks for the name of a new folder, or of a new file, which is empty. */
export const NewEntryPrompt = view(function NewEntryPrompt({ kind, onClose }: Opened<'newDir' | 'newFile'>) {
  const workspace = useWorkspace()
  const entryView = workspace.use(entryViewSlice)
  const folder = nameOf(entryView.currentPath.value) || t('sidebar.myFiles')
  const make = kind === 'newDir' ? makeFolder : makeFile
  return (
    <NamePrompt
      onClose={onClose}
      title={t(`prompts.${kind}.title`)}
      label={t(`prompts.${kind}.name`)}
      hint={t(`prompts.${kind}.where`, { folder: isolate(folder) })}
      placeholder={t(`prompts.${kind}.placeholder`)}
      submitLabel={t('action.create')}
      onSubmit={(name) => make(workspace, name)}
    />
  )
})

/** Asks for a new name on a phone, where the row has no room for a field. */
export const RenamePrompt = view(function RenamePrompt({ entry, inPlace, onClose }: Opened<'rename'>) {
  const workspace = useWorkspace()
  if (inPlace) return null
  return (
    <NamePrompt
      onClose={onClose}
      title={t('prompts.rename.title')}
      label={t('prompts.rename.name')}
      submitLabel={t('action.rename')}
      start={entry.name}
      onSubmit={(name) => rename(workspace, entry, name)}
    />
  )
})
