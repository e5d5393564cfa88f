import { baseURL, pageConfig } from '../api/page-config.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { UnseenArrivals } from '../shares/unseen-arrivals.tsx'
import { Card, Section } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { LanguageCard } from './language-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
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
      {!workspace.may('admin') && workspace.may('share') && (workspace.may('download') || workspace.may('create')) && (
        <SharesCard />
      )}
    </div>
  )
})

/** The way to one's own public links. */
const SharesCard = view(function SharesCard() {
  const title = t('shares.own')
  return (
    <Card label={title}>
      <Section title={title} text={t('shares.ownText')}>
        <div className="form-foot">
          <a className="button" href={`${baseURL}/settings/shares`}>
            <Icon name="link" />
            <span className="label">{t('shares.manage')}</span>
          </a>
          <UnseenArrivals />
        </div>
      </Section>
    </Card>
  )
})
