import { useState } from 'react'
import { entryViewSlice } from '../core/entry-view.ts'
import type { Opened } from '../core/overlay.ts'
import { nameOf } from '../core/paths.ts'
import { rememberArchiveFormat } from '../core/preferences.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { splitEnding } from '../ui/file-names.ts'
import { view } from '../ui/view.tsx'
import { compress } from './archive-jobs.ts'
import { archiveFormats, type Packed, usualFormat } from './download.ts'
import { nameProblem } from './file-name.ts'
import { FormatChoice } from './format-choice.tsx'

/** Asks for the name and the format of an archive that the server makes. A name that is taken is said at once. */
export const CompressPrompt = view(function CompressPrompt({ onClose, items, folder }: Opened<'compress'>) {
  const workspace = useWorkspace()
  const entryView = useSlice(entryViewSlice)
  const [stem, setStem] = useState(() => stemOf({ items, folder }))
  const [format, setFormat] = useState(usualFormat)
  const [isTried, setTried] = useState(false)
  const name = `${stem.trim()}.${archiveFormats.find((one) => one.name === format)?.ending}`
  const known = entryView.currentPath.value === folder ? entryView.sortedEntries.value : undefined
  const problem = stem.trim() === '' ? nameProblem('', folder) : nameProblem(name, folder, known)
  const submit = () => {
    setTried(true)
    if (problem) return
    rememberArchiveFormat(format)
    onClose()
    void compress(workspace, { items, folder, name, format })
  }
  return (
    <Dialog
      title={t('prompts.compress.title')}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <>
          <Button kind="quiet" label={t('action.cancel')} onClick={onClose} />
          <Button kind="primary" submit label={t('action.create')} disabled={stem.trim() === ''} />
        </>
      }
    >
      <Field
        label={t('prompts.newDir.name')}
        error={isTried && problem ? t(problem.key, problem.params) : undefined}
        value={stem}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setStem(event.target.value)}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
        data-first-focus
      />
      <FormatChoice format={format} onChoose={setFormat} />
      <p className="field-hint">{t('prompts.compress.hint')}</p>
    </Dialog>
  )
})

/** The name of the only entry, of a file without its ending, or of the folder. */
function stemOf({ items, folder }: Packed): string {
  const [only, ...others] = items
  if (!only || others.length > 0) return nameOf(folder) || t('sidebar.myFiles')
  return only.isDir ? only.name : splitEnding(only.name)[0]
}
