import { pageConfig } from '../api/page-config.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { LanguageCard } from './language-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { SharesCard } from './shares-card.tsx'
import { ViewCard } from './view-card.tsx'

/** What a person sets for their own account. */
export const ProfileScreen = view(function ProfileScreen() {
  const workspace = useWorkspace()
  const { user } = workspace
  // A server that signs people in by itself asks for no password.
  const mayChangePassword = pageConfig.AuthMethod === 'json' && !user.value?.lockPassword
  return (
    <div className="settings">
      <h1 className="visually-hidden">{t('title.profile')}</h1>
      <LanguageCard />
      <ViewCard />
      {mayChangePassword && <PasswordCard />}
      <SessionsCard />
      {/* Administrators have a tab. */}
      {!workspace.may('admin') && workspace.may('share') && workspace.may('download') && <SharesCard />}
    </div>
  )
})
