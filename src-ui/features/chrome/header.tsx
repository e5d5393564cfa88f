import { commandById, offered } from '../../commands/all.ts'
import { isReady } from '../../commands/command.ts'
import { run } from '../../commands/run.ts'
import { t } from '../../i18n/t.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { view } from '../../view.tsx'
import { Brand } from './brand.tsx'
import { CommandMenu } from './command-menu.tsx'

export const Header = view(function Header() {
  const upload = commandById('upload.files')
  return (
    <header className="header">
      <IconButton
        className="header-menu"
        icon="menu-2"
        label={t('sidebar.open')}
        onClick={() => void run(commandById('sidebar.toggle'))}
      />
      <Brand className="header-brand-small" />
      <span className="grow" />
      {offered('new').some(isReady) && (
        <CommandMenu place="new" label={t('menu.new')}>
          <Button className="button-new" icon="plus" label={t('menu.new')} />
        </CommandMenu>
      )}
      {isReady(upload) && (
        <Button
          className="button-upload"
          kind="primary"
          icon="upload"
          label={t('menu.upload')}
          onClick={() => void run(upload)}
        />
      )}
      {offered('more').length > 0 && (
        <CommandMenu place="more" label={t('menu.more')}>
          <IconButton icon="dots-vertical" label={t('menu.more')} />
        </CommandMenu>
      )}
    </header>
  )
})

/** The corner above the sidebar. */
export function HeaderBrand() {
  return (
    <div className="header-brand">
      <IconButton icon="layout-sidebar" label={t('sidebar.hide')} onClick={() => void run(commandById('sidebar.toggle'))} />
      <Brand />
    </div>
  )
}
