import '../i18n/more-words.ts'
import '../ui/more-icons.ts'
import { ActivityHost } from '../activity/activity-host.tsx'
import { baseURL } from '../api/page-config.ts'
import { decision } from '../core/location.ts'
import type { Screen } from '../core/routes.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { type Key, t } from '../i18n/t.ts'
import { SharesScreen } from '../shares/shares-screen.tsx'
import { view } from '../ui/view.tsx'
import { UserScreen } from '../users/user-screen.tsx'
import { UsersScreen } from '../users/users-screen.tsx'
import { GlobalHost } from './global-host.tsx'
import { ProfileScreen } from './profile-screen.tsx'

/** The settings: a tab bar for administrators, and the content alone for everybody else. */
export const SettingsScreen = view(function SettingsScreen() {
  const workspace = useWorkspace()
  const decided = decision.value
  if (!('show' in decided)) return null
  return (
    <>
      {workspace.may('admin') && <Tabs current={decided.show} />}
      <div className="pane settings-pane" key={decided.show} data-region tabIndex={-1}>
        {drawScreen(decided.show)}
      </div>
    </>
  )
})

const tabs: readonly { path: string; label: Key; screens: readonly Screen[] }[] = [
  { path: '/settings/profile', label: 'title.profile', screens: ['profile'] },
  { path: '/settings/shares', label: 'title.shares', screens: ['shares'] },
  { path: '/settings/global', label: 'title.global', screens: ['global'] },
  { path: '/settings/users', label: 'title.users', screens: ['users', 'userNew', 'userEdit'] },
  { path: '/settings/activity', label: 'title.activity', screens: ['activity'] },
]

function drawScreen(screen: Screen) {
  if (screen === 'shares') return <SharesScreen />
  if (screen === 'users') return <UsersScreen />
  if (screen === 'userNew' || screen === 'userEdit') return <UserScreen />
  if (screen === 'global') return <GlobalHost />
  if (screen === 'activity') return <ActivityHost />
  return <ProfileScreen />
}

/** On a phone the bar is wider than the window. */
const scrollTo = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

const Tabs = view(function Tabs({ current }: { current: Screen }) {
  return (
    <nav className="tabs" aria-label={t('settings.label')}>
      {tabs.map(({ path, label, screens }) => {
        const isCurrent = screens.includes(current)
        return (
          <a
            key={path}
            className="tab"
            href={baseURL + path}
            aria-current={isCurrent ? 'page' : undefined}
            ref={isCurrent ? scrollTo : undefined}
          >
            {t(label)}
          </a>
        )
      })}
    </nav>
  )
})
