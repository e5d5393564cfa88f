import { useState } from 'react'
import { call } from '../api/http.ts'
import { renew } from '../core/session.ts'
import { useUnsavedForm } from '../core/unsaved-form.ts'
import { useSaving } from '../core/use-saving.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Card, Section } from '../ui/card.tsx'
import { Select } from '../ui/select.tsx'
import { view } from '../ui/view.tsx'
import { languageOptions } from '../users/languages.ts'
import { Update } from './update-foot.tsx'

/** The language of the interface, and so of dates and numbers. */
export const LanguageCard = view(function LanguageCard() {
  const { user, signal } = useWorkspace()
  const [locale, setLocale] = useState(user.value?.locale ?? '')
  const { isBusy, save } = useSaving()
  const isChanged = locale !== (user.value?.locale ?? '')
  useUnsavedForm(isChanged)
  const update = () =>
    save({
      work: async () => {
        const id = user.peek()?.id ?? 0
        await call('PUT /api/users/:id', { id, body: { what: 'user', which: ['locale'], data: { id, locale } }, signal })
        // The page follows the language in the token.
        await renew()
      },
      done: () => t('settings.updated'),
      failed: t('settings.notUpdated'),
    })
  return (
    <Card label={t('settings.language.title')} onSubmit={() => void update()}>
      <Section title={t('settings.language.title')} text={t('settings.language.text')}>
        <Select label={t('settings.language.title')} value={locale} options={languageOptions()} onValue={setLocale} />
        <div className="form-foot">
          <Update isBusy={isBusy} isChanged={isChanged} />
        </div>
      </Section>
    </Card>
  )
})
