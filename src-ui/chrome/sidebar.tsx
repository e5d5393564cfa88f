import { useEffect, useRef } from 'react'
import { baseURL, pageConfig } from '../api/page-config.ts'
import { commandById, offered } from '../commands.ts'
import { type Command, isReady } from '../core/command.ts'
import { markOf } from '../core/drag.ts'
import { decision } from '../core/location.ts'
import { close, overlay } from '../core/overlay.ts'
import { run } from '../core/run.ts'
import { user } from '../core/session.ts'
import { t } from '../i18n/t.ts'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { Brand } from './brand.tsx'
import { drawerWidth } from './commands.ts'

/** Where one can go and what one can make; below 900 px a drawer. */
export const Sidebar = view(function Sidebar() {
  const entries = offered('sidebar')
  return (
    <nav className="sidebar" aria-label={t('sidebar.label')} data-region ref={useDrawerFocus(overlay.value.kind === 'sidebar')}>
      <div className="sidebar-brand">
        <Brand />
      </div>
      <div className="nav">
        {user.value && <MyFiles />}
        {entries.filter((command) => command.group !== 'session').map(entry)}
      </div>
      <div className="sidebar-foot">
        <div className="nav">{entries.filter((command) => command.group === 'session').map(entry)}</div>
        <Footer />
      </div>
    </nav>
  )
})

const MyFiles = view(function MyFiles() {
  const isHere = 'show' in decision.value && decision.value.show === 'files'
  return (
    <a
      className="nav-item"
      href={`${baseURL}/files/`}
      aria-current={isHere ? 'page' : undefined}
      draggable={false}
      data-folder="/"
      data-drop={markOf('/')}
    >
      <Icon name="folder" />
      <span className="label">{t('sidebar.myFiles')}</span>
    </a>
  )
})

const entry = (command: Command) => <Entry key={command.id} command={command} />

const Entry = view(function Entry({ command }: { command: Command }) {
  return (
    <button
      type="button"
      className="nav-item"
      aria-disabled={!isReady(command) || undefined}
      title={isReady(command) || !command.reason ? undefined : t(command.reason())}
      onClick={() => {
        if (!isReady(command)) return
        close('sidebar')
        void run(command)
      }}
    >
      {command.icon && <Icon name={command.icon} />}
      <span className="label">{t(command.label)}</span>
    </button>
  )
})

/** The product and its version, and the help. */
const Footer = view(function Footer() {
  const help = commandById('help')
  return (
    <div className="footer">
      <span>{`Holdall ${pageConfig.Version}`.trim()}</span>
      {isReady(help) && (
        <>
          <span aria-hidden="true">·</span>
          <button
            type="button"
            className="footer-link"
            onClick={() => {
              close('sidebar')
              void run(help)
            }}
          >
            {t(help.label)}
          </button>
        </>
      )}
    </div>
  )
})

// An opened drawer takes the focus, and gives it back when it goes.
function useDrawerFocus(isOpen: boolean) {
  const drawer = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const before = document.activeElement
    drawer.current?.querySelector<HTMLElement>('.nav-item')?.focus()
    // In a window that is made wider it is a column again, and the page beside it is free.
    const narrow = matchMedia(drawerWidth)
    const leave = () => narrow.matches || close('sidebar')
    narrow.addEventListener('change', leave)
    return () => {
      narrow.removeEventListener('change', leave)
      const wasInside = drawer.current?.contains(document.activeElement) || document.activeElement === document.body
      if (wasInside && before instanceof HTMLElement) before.focus()
    }
  }, [isOpen])
  return drawer
}
