import { useId } from 'react'
import type { Opened } from '../core/overlay.ts'
import { formatDate, formatNumber } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'
import type { ImportNotices } from './imported.ts'

/** What imports from File Browser have brought. *Got it* ends that it is shown; closed in another way it comes again. */
export const ImportedPrompt = view(function ImportedPrompt({ notices, takeNote, onClose }: Opened<'imported'>) {
  const seen = () => {
    takeNote()
    onClose()
  }
  return (
    <Dialog
      title={t('settings.imported.title')}
      description={t('settings.imported.text')}
      onClose={onClose}
      wide
      scrolls
      foot={<Button kind="primary" label={t('trash.newsSeen')} data-first-focus onClick={seen} />}
    >
      {notices.map((notice, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <Brought key={index} notice={notice} isOneOfSeveral={notices.length > 1} />
      ))}
    </Dialog>
  )
})

type Notice = ImportNotices[number]

const Brought = view(function Brought({ notice, isOneOfSeveral }: { notice: Notice; isOneOfSeveral: boolean }) {
  const { users, passwords, rules, links, hasSettings, look, changed, left, more } = notice
  const counts = [
    [t('users.title'), users],
    [t('settings.imported.passwords'), passwords],
    [t('users.rules.title'), rules],
    [t('activity.kinds.shares'), links],
  ] as const
  return (
    <section className="brought">
      {isOneOfSeveral && <h3>{formatDate(notice.at * 1000)}</h3>}
      <dl className="facts">
        {counts.map(([label, count]) => (
          <div key={label} className="brought-fact">
            <dt>{label}</dt>
            <dd>{formatNumber(count)}</dd>
          </div>
        ))}
        <div className="brought-fact">
          <dt>{t('title.global')}</dt>
          <dd>{t(hasSettings ? 'settings.imported.brought' : 'settings.imported.notBrought')}</dd>
        </div>
      </dl>
      <Lines title={t('settings.imported.look')} lines={look} />
      <Lines title={t('settings.imported.changed')} lines={changed} />
      <Lines title={t('settings.imported.left')} lines={left} />
      {more > 0 && <p className="muted">{t('prompts.delete.more', { count: more })}</p>}
    </section>
  )
})

/** They are as the command has printed them, in English. */
const Lines = view(function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  const titleId = useId()
  if (lines.length === 0) return null
  return (
    <>
      <h3 id={titleId}>{title}</h3>
      <ul aria-labelledby={titleId} className="brought-lines" lang="en" dir="ltr">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  )
})
