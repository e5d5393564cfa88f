import { type FormEvent, useEffect, useRef, useState } from 'react'
import { makeFolderIn } from '../../commands/make.ts'
import { t } from '../../i18n/t.ts'
import { pathIn } from '../../state/file-name.ts'
import { lookInto } from '../../state/picker.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'

type Props = { folder: string; onEnd: () => void }

/** A new folder where one looks for one; it is marked once it stands. */
export function NewFolderField({ folder, onEnd }: Props) {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const trimmed = name.trim()
    const refused = await makeFolderIn(folder, trimmed)
    if (refused) return setProblem(refused)
    onEnd()
    await lookInto(folder, pathIn(folder, trimmed.toWellFormed()))
    document.querySelector<HTMLElement>('.picker-list')?.focus()
  }

  return (
    <form className="picker-new" noValidate onSubmit={(event) => void submit(event)}>
      <input
        className="input"
        ref={field}
        value={name}
        onChange={(event) => {
          setName(event.target.value)
          setProblem(undefined)
        }}
        aria-label={t('prompts.picker.newName')}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? 'new-folder-problem' : undefined}
        placeholder={t('prompts.newDir.placeholder')}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
      />
      <Button small submit label={t('action.create')} disabled={name.trim() === ''} />
      {problem && <FieldError id="new-folder-problem" text={problem} />}
    </form>
  )
}
