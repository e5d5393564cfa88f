import { useEffect, useRef } from 'react'
import { Brand } from '../core/brand.tsx'
import { commandTableSlice, isReady } from '../core/command.ts'
import { CommandMenu } from '../core/command-menu.tsx'
import { sidebarShown } from '../core/preferences.ts'
import { run } from '../core/run.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Keys } from '../ui/keys.tsx'
import { view } from '../ui/view.tsx'

/** Whether an open drawer covers it: then it is inert. */
type Behind = { isBehind: boolean }

/** The header with the buttons "New" and "Upload" and the menu of all other commands. On small screens the buttons show icons only. */
export const Header = view(function Header({ isBehind }: Behind) {
  const workspace = useWorkspace()
  const commandTable = workspace.use(commandTableSlice)
  return (
    <header className="header" inert={isBehind}>
      <SidebarToggle place="header" />
      <Brand className="header-brand-small" />
      <SearchField />
      <span className="grow" />
      {commandTable.offered('new').some((command) => isReady(workspace, command)) && (
        <CommandMenu place="new" label={t('menu.new')}>
          <Button className="button-new" icon="plus" label={t('menu.new')} aria-label={t('menu.new')} />
        </CommandMenu>
      )}
      <Upload />
      {commandTable.offered('more').length > 0 && (
        <CommandMenu place="more" label={t('menu.more')}>
          <IconButton icon="dots-vertical" label={t('menu.more')} />
        </CommandMenu>
      )}
    </header>
  )
})

/** Looks like a field, and opens the search. */
const SearchField = view(function SearchField() {
  const workspace = useWorkspace()
  const search = workspace.use(commandTableSlice).get('search')
  if (!isReady(workspace, search)) return null
  return (
    <button
      type="button"
      className="searchbox"
      aria-label={t('search.button')}
      aria-keyshortcuts="/ Control+F"
      onClick={() => void run(workspace, search)}
    >
      <Icon name="search" />
      <span className="searchbox-text">{t('search.button')}</span>
      <Keys shown="/" />
    </button>
  )
})

const Upload = view(function Upload() {
  const workspace = useWorkspace()
  const commandTable = workspace.use(commandTableSlice)
  const upload = commandTable.get('upload.files')
  if (!isReady(workspace, upload)) return null
  const label = t('menu.upload')
  return (
    <Button
      className="button-upload"
      kind="primary"
      icon="upload"
      label={label}
      aria-label={label}
      onClick={() => void run(workspace, upload)}
    />
  )
})

/** The part of the header above the sidebar. */
export function HeaderBrand({ isBehind }: Behind) {
  return (
    <div className="header-brand" inert={isBehind}>
      <SidebarToggle place="corner" />
      <Brand />
    </div>
  )
}

type Props = { place: 'header' | 'corner' }

/** Hides or shows the sidebar. There are two of these buttons, one of them visible: pressing it moves the focus to the other. */
const SidebarToggle = view(function SidebarToggle({ place }: Props) {
  const workspace = useWorkspace()
  const commandTable = workspace.use(commandTableSlice)
  const inCorner = place === 'corner'
  const button = useFocusOnReturn(sidebarShown.value === inCorner)
  return (
    <IconButton
      ref={button}
      className={inCorner ? '' : 'header-menu'}
      icon={inCorner ? 'layout-sidebar' : 'menu-2'}
      label={t(inCorner ? 'sidebar.hide' : 'sidebar.open')}
      onClick={() => void run(workspace, commandTable.get('sidebar.toggle'))}
    />
  )
})

/** Focuses an element when it becomes visible, but not when it is visible from the start. */
function useFocusOnReturn(inView: boolean) {
  const element = useRef<HTMLButtonElement>(null)
  const before = useRef(inView)
  useEffect(() => {
    if (inView && !before.current) element.current?.focus()
    before.current = inView
  }, [inView])
  return element
}
