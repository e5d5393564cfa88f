import { type FormEvent, useEffect, useRef, useState } from 'react'
import { pathIn } from '../core/paths.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { NameInput } from '../ui/name-input.tsx'
import { makeFolderIn } from './make.ts'
import { pickerSlice } from './picker.ts'

type Props = { folder: string; onEnd: () => void }

/** Makes a new folder in the picker and marks it. */
export function NewFolderField({ folder, onEnd }: Props) {
  const workspace = useWorkspace()
  const picker = workspace.use(pickerSlice)
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const trimmed = name.trim()
    const refused = await makeFolderIn(workspace, folder, trimmed)
    if (refused) return setProblem(refused)
    onEnd()
    await picker.open(folder, pathIn(folder, trimmed.toWellFormed()))
    document.querySelector<HTMLElement>('.picker-list')?.focus()
  }

  return (
    <form className="picker-new" noValidate onSubmit={(event) => void submit(event)}>
      <NameInput
        ref={field}
        label={t('prompts.picker.newName')}
        placeholder={t('prompts.newDir.placeholder')}
        value={name}
        problem={problem}
        onValue={(value) => {
          setName(value)
          setProblem(undefined)
        }}
      >
        <Button small submit label={t('action.create')} disabled={name.trim() === ''} />
      </NameInput>
    </form>
  )
}
