import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { LanguageCard } from './language-card.tsx'
import { ViewCard } from './view-card.tsx'

/** What a person sets for their own account. */
export const ProfileScreen = view(function ProfileScreen() {
  return (
    <div className="settings">
      <h1 className="visually-hidden">{t('title.profile')}</h1>
      <LanguageCard />
      <ViewCard />
    </div>
  )
})
