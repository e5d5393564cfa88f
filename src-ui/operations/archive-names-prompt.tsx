import { useState } from 'react'
import type { NameEncoding } from '../../src-server/contract/jobs.ts'
import type { Opened } from '../core/overlay.ts'
import { nameOf } from '../core/paths.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { visibleName } from '../ui/file-names.ts'
import { view } from '../ui/view.tsx'
import { extract } from './archive-jobs.ts'

/** How people know the encodings; these names are the same in all languages. */
const shown: Readonly<Record<NameEncoding, string>> = {
  ...{ cp437: 'CP437', shift_jis: 'Shift_JIS', gbk: 'GBK', 'windows-1251': 'Windows-1251' },
}

/** Asks what the names in an archive are that are not UTF-8: with some of them as each choice reads them. */
export const ArchiveNamesPrompt = view(function ArchiveNamesPrompt({ onClose, path, likely, choices }: Opened<'archiveNames'>) {
  const workspace = useWorkspace()
  const [chosen, setChosen] = useState(likely ?? choices[0]?.encoding)
  const submit = () => {
    if (!chosen) return
    onClose()
    void extract(workspace, [path], chosen)
  }
  return (
    <Dialog
      title={t('prompts.archiveNames.title')}
      description={t('prompts.archiveNames.text', { name: isolate(visibleName(nameOf(path))) })}
      onClose={onClose}
      onSubmit={submit}
      foot={
        <>
          <Button kind="quiet" label={t('action.cancel')} onClick={onClose} />
          <Button kind="primary" submit label={t('command.extract')} />
        </>
      }
    >
      <fieldset className="readings">
        <legend className="visually-hidden">{t('prompts.archiveNames.title')}</legend>
        {choices.map(({ encoding, names }) => (
          <label key={encoding} className="format reading">
            <input
              className="visually-hidden"
              type="radio"
              name="encoding"
              value={encoding}
              checked={encoding === chosen}
              {...(encoding === chosen && { 'data-first-focus': true })}
              onChange={() => setChosen(encoding)}
            />
            <span className="muted" dir="ltr">
              {shown[encoding]}
            </span>
            {names.map((name) => (
              <bdi key={name}>{visibleName(name)}</bdi>
            ))}
          </label>
        ))}
      </fieldset>
    </Dialog>
  )
})
