import { formatDate } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import type { TextDocument } from './text-document.ts'

/** Offers a text of this file that was kept in the browser: one at a time, the newest first. */
export const DraftOffer = view(function DraftOffer({ document }: { document: TextDocument }) {
  const [draft] = document.drafts.offers.value
  if (!draft) return null
  return (
    <div className="banner" role="status">
      <Icon name="alert-circle" />
      <p className="banner-text">
        <strong>{t(`editor.draft.${draft.kind}`)}</strong>
        {t('editor.draft.text', { date: formatDate(draft.at) })}
      </p>
      <span className="banner-actions">
        <Button small kind="quiet" label={t('editor.draft.discard')} onClick={() => void document.drafts.refuse(draft)} />
        <Button small label={t('editor.draft.restore')} onClick={() => void document.restore(draft)} />
      </span>
    </div>
  )
})
