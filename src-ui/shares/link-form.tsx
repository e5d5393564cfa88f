import { useEffect } from 'react'
import { formatNumber } from '../i18n/format.ts'
import { joinSentences } from '../i18n/sentences.ts'
import { t } from '../i18n/t.ts'
import { Field, useRefusedFocus } from '../ui/field.tsx'
import { view } from '../ui/view.tsx'
import { ExpiryFields } from './expiry-fields.tsx'
import { LinkPassword } from './link-password.tsx'
import { largestNumber } from './new-link.ts'
import type { ShareLinks } from './share-links.ts'

/** The form of a new link. */
export const LinkForm = view(function LinkForm({ state }: { state: ShareLinks }) {
  const draft = state.draft.value
  const problems = state.problems.value
  const fields = useRefusedFocus<HTMLDivElement>(problems)
  useEffect(() => fields.current?.querySelector<HTMLElement>('input:checked')?.focus(), [fields])
  return (
    <div className="link-form" ref={fields}>
      <ExpiryFields state={state} />
      <LinkPassword
        label={t('shares.password')}
        hint={t('shares.passwordHint')}
        value={draft.password}
        isRefused={problems.password ?? false}
        onValue={(password) => state.change({ password })}
      />
      <Field
        label={t('shares.most')}
        hint={joinSentences(t('shares.mostHint'), t('shares.howCounted'))}
        error={problems.mostDownloads ? t('shares.mostProblem', { most: formatNumber(largestNumber) }) : undefined}
        inputMode="numeric"
        autoComplete="off"
        value={draft.mostDownloads}
        onChange={(event) => state.change({ mostDownloads: event.target.value })}
      />
      <Field
        label={t('shares.note')}
        hint={t('shares.noteHint')}
        dir="auto"
        maxLength={500}
        autoComplete="off"
        value={draft.note}
        onChange={(event) => state.change({ note: event.target.value })}
      />
    </div>
  )
})
