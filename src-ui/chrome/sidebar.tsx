import { useEffect, useRef } from 'react'
import { baseURL, pageConfig } from '../api/page-config.ts'
import { Brand } from '../core/brand.tsx'
import { type Command, commandTableSlice, isReady, reasonOf } from '../core/command.ts'
import { dragSlice } from '../core/drag.ts'
import { decision } from '../core/location.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { run } from '../core/run.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { drawerWidth } from './commands.ts'
import { usageMeter } from './lazy-usage.ts'

/** The sidebar with links and commands; a drawer below 900 px. */
export const Sidebar = view(function Sidebar() {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  const commandTable = workspace.use(commandTableSlice)
  const entries = commandTable.offered('sidebar')
  const { value: Usage } = usageMeter
  return (
    <nav
      className="sidebar"
      aria-label={t('sidebar.label')}
      data-region
      ref={useDrawerFocus(overlays.current.value.kind === 'sidebar')}
    >
      <div className="sidebar-brand">
        <Brand />
      </div>
      <div className="nav">
        {workspace.user.value && <MyFiles />}
        {entries.filter((command) => command.group !== 'session').map(entry)}
      </div>
      <div className="sidebar-foot">
        {workspace.user.value && Usage && <Usage />}
        <div className="nav">{entries.filter((command) => command.group === 'session').map(entry)}</div>
        <Footer />
      </div>
    </nav>
  )
})

const MyFiles = view(function MyFiles() {
  const dragState = useSlice(dragSlice)
  const isHere = 'show' in decision.value && decision.value.show === 'files'
  return (
    <a
      className="nav-item"
      href={`${baseURL}/files/`}
      aria-current={isHere ? 'page' : undefined}
      draggable={false}
      data-command="go.home"
      data-folder="/"
      data-drop={dragState.markOf('/')}
    >
      <Icon name="folder" />
      <span className="label">{t('sidebar.myFiles')}</span>
    </a>
  )
})

const entry = (command: Command) => <Entry key={command.id} command={command} />

const Entry = view(function Entry({ command }: { command: Command }) {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  const ready = isReady(workspace, command)
  const reason = reasonOf(workspace, command)
  return (
    <button
      type="button"
      className="nav-item"
      aria-current={command.checked?.(workspace) ? 'page' : undefined}
      aria-disabled={!ready || undefined}
      title={reason && t(reason)}
      onClick={() => {
        if (!ready) return
        overlays.close('sidebar')
        void run(workspace, command)
      }}
    >
      {command.icon && <Icon name={command.icon} />}
      <span className="label">{t(command.label)}</span>
    </button>
  )
})

const product = `Holdall ${pageConfig.Version}`.trim()

/** Name and version of the product, and the help. */
const Footer = view(function Footer() {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  const commandTable = workspace.use(commandTableSlice)
  const help = commandTable.get('help')
  return (
    <div className="footer">
      {pageConfig.Links?.Home ? (
        <a className="footer-link" href={pageConfig.Links.Home} target="_blank" rel="noopener noreferrer">
          {product}
        </a>
      ) : (
        <span>{product}</span>
      )}
      {isReady(workspace, help) && (
        <>
          <span aria-hidden="true">·</span>
          <button
            type="button"
            className="footer-link"
            onClick={() => {
              overlays.close('sidebar')
              void run(workspace, help)
            }}
          >
            {t(help.label)}
          </button>
        </>
      )}
    </div>
  )
})

// An open drawer has the focus, which returns to the element before when it closes.
function useDrawerFocus(isOpen: boolean) {
  const overlays = useSlice(overlaysSlice)
  const drawer = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const before = document.activeElement
    drawer.current?.querySelector<HTMLElement>('.nav-item')?.focus()
    // In a wider window the sidebar is a column again, and the page must not stay inert.
    const narrow = matchMedia(drawerWidth)
    const leave = () => narrow.matches || overlays.close('sidebar')
    narrow.addEventListener('change', leave)
    return () => {
      narrow.removeEventListener('change', leave)
      const wasInside = drawer.current?.contains(document.activeElement) || document.activeElement === document.body
      if (wasInside && before instanceof HTMLElement) before.focus()
    }
  }, [overlays, isOpen])
  return drawer
}
