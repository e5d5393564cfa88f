import { type FocusEvent, useRef, useState } from 'react'
import { type Overlay, overlaysSlice } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { splitEnding } from '../ui/file-names.ts'
import { view } from '../ui/view.tsx'

type Props = {
  kind: Overlay['kind']
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
export const NamePrompt = view(function NamePrompt({
  kind,
  title,
  label,
  submitLabel,
  hint,
  placeholder,
  start = '',
  onSubmit,
}: Props) {
  const overlays = useSlice(overlaysSlice)
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
    else overlays.close(kind)
  }
  const change = (value: string) => {
    setName(value)
    setProblem(undefined)
  }

  return (
    <Dialog
      title={title}
      onClose={() => overlays.close(kind)}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button kind="quiet" label={t('action.cancel')} onClick={() => overlays.close(kind)} />
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
