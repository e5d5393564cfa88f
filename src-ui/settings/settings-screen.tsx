import 'holdall:words/later'
import 'holdall:icons/later'
import activityStyle from 'holdall:part/activity/activity.css'
import globalStyle from 'holdall:part/settings/global.css'
import trashStyle from 'holdall:part/trash/trash.css'
import type { FC } from 'react'
import { baseURL } from '../api/page-config.ts'
import { lazyScreen } from '../core/lazy.tsx'
import { decision } from '../core/location.ts'
import { isSettings, type Screen, type ScreenOfSettings, screens } from '../core/routes.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { SharesScreen } from '../shares/shares-screen.tsx'
import { UnseenArrivals } from '../shares/unseen-arrivals.tsx'
import { view } from '../ui/view.tsx'
import { UserScreen } from '../users/user-screen.tsx'
import { UsersScreen } from '../users/users-screen.tsx'
import { ProfileScreen } from './profile-screen.tsx'

/** The settings: a tab bar for administrators, and the content alone for everybody else. The trash comes with them. */
export const SettingsScreen = view(function SettingsScreen() {
  const workspace = useWorkspace()
  const decided = decision.value
  if (!('show' in decided)) return null
  if (decided.show === 'trash') return <TrashScreen />
  if (!isSettings(decided.show)) return null
  const Drawing = drawings[decided.show]
  return (
    <>
      {workspace.may('admin') && <Tabs current={decided.show} />}
      <div className="pane settings-pane" key={decided.show} data-region tabIndex={-1}>
        <Drawing />
      </div>
    </>
  )
})

const tabs = Object.values(screens).filter(({ path }) => /^\/settings\/\w+$/.test(path))

// Only administrators need these.
const GlobalScreen = lazyScreen(async () => (await import('./global-screen.tsx')).GlobalScreen, [globalStyle])
const TrashScreen = lazyScreen(async () => (await import('../trash/trash-screen.tsx')).TrashScreen, [trashStyle])
const ActivityScreen = lazyScreen(async () => (await import('../activity/activity-screen.tsx')).ActivityScreen, [activityStyle])

const drawings: Record<ScreenOfSettings, FC> = {
  profile: ProfileScreen,
  shares: SharesScreen,
  global: GlobalScreen,
  users: UsersScreen,
  userNew: UserScreen,
  userEdit: UserScreen,
  activity: ActivityScreen,
}

/** On a phone the bar is wider than the window. */
const scrollTo = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

const Tabs = view(function Tabs({ current }: { current: Screen }) {
  return (
    <nav className="tabs" aria-label={t('settings.label')}>
      {tabs.map(({ path, title }) => {
        const isCurrent = `${screens[current].path}/`.startsWith(`${path}/`)
        return (
          <a
            key={path}
            className="tab"
            href={baseURL + path}
            aria-current={isCurrent ? 'page' : undefined}
            ref={isCurrent ? scrollTo : undefined}
          >
            {t(title)}
            {path === screens.shares.path && <UnseenArrivals />}
          </a>
        )
      })}
    </nav>
  )
})
