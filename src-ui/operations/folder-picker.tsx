import { useState } from 'react'
import type { Item } from '../core/entries.ts'
import { breadcrumbsOf } from '../core/paths.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import { FolderList } from './folder-list.tsx'
import { NewFolderField } from './new-folder-field.tsx'
import { pickerSlice } from './picker.ts'
import { goOut } from './picker-commands.ts'

type Props = { kind: 'move' | 'copy' | 'choose'; items: readonly Item[]; from: string }

/** Chooses a folder: breadcrumbs, the subfolders of the current folder, and a field for a new one. */
export const FolderPicker = view(function FolderPicker({ kind, items, from }: Props) {
  const workspace = useWorkspace()
  const picker = workspace.use(pickerSlice)
  const [isNaming, setNaming] = useState(false)
  const { path } = picker.state.value
  return (
    <div className="picker">
      <nav className="picker-path" aria-label={t('listing.path')}>
        <IconButton
          small
          smallIcon
          icon="arrow-up"
          label={t('prompts.picker.up')}
          disabled={path === '/'}
          onClick={() => goOut(workspace)}
        />
        <PickerBreadcrumbs path={path} />
        <IconButton
          small
          smallIcon
          icon="folder-plus"
          label={t('prompts.picker.newDir')}
          expanded={isNaming}
          onClick={() => setNaming(!isNaming)}
        />
      </nav>
      {isNaming && <NewFolderField key={path} folder={path} onEnd={() => setNaming(false)} />}
      <FolderList kind={kind} items={items} from={from} />
    </div>
  )
})

function PickerBreadcrumbs({ path }: { path: string }) {
  const picker = useSlice(pickerSlice)
  const crumbs = breadcrumbsOf(path)
  return (
    <ol className="crumbs">
      {crumbs.map((crumb, index) => (
        <li key={crumb.path}>
          {index > 0 && <Icon name="chevron-right" className="crumb-separator" />}
          <button
            type="button"
            className="crumb"
            aria-current={index === crumbs.length - 1 ? 'location' : undefined}
            onClick={() => void picker.open(crumb.path)}
          >
            <span dir="auto">{crumb.isEllipsis ? '…' : crumb.name || t('sidebar.myFiles')}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}
