import { useState } from 'react'
import { makeFolder } from '../../commands/make-folder.ts'
import { isolate, t } from '../../i18n/t.ts'
import { nameOf } from '../../state/crumbs.ts'
import { here } from '../../state/listing.ts'
import { close } from '../../state/overlay.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { view } from '../../view.tsx'

/** Asks for the name of a new folder. */
export const NewDirPrompt = view(function NewDirPrompt() {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const folder = nameOf(here.value) || t('sidebar.myFiles')
  const trimmed = name.trim()

  const submit = async () => {
    if (trimmed === '' || isBusy) return
    setBusy(true)
    const refused = await makeFolder(trimmed)
    setBusy(false)
    if (refused) setProblem(refused)
    else close('newDir')
  }
  const change = (value: string) => {
    setName(value)
    setProblem(undefined)
  }

  return (
    <Dialog
      title={t('prompts.newDir.title')}
      onClose={() => close('newDir')}
      onSubmit={() => void submit()}
      foot={<Foot isReady={trimmed !== '' && !isBusy} />}
    >
      <Field
        label={t('prompts.newDir.name')}
        hint={t('prompts.newDir.where', { folder: isolate(folder) })}
        error={problem}
        placeholder={t('prompts.newDir.placeholder')}
        value={name}
        onChange={(event) => change(event.target.value)}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
      />
    </Dialog>
  )
})

function Foot({ isReady }: { isReady: boolean }) {
  return (
    <>
      <Button kind="quiet" label={t('action.cancel')} onClick={() => close('newDir')} />
      <Button kind="primary" submit label={t('action.create')} disabled={!isReady} />
    </>
  )
}
