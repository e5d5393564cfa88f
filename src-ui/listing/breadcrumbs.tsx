import { pageOf } from '../api/addresses.ts'
import { dragSlice } from '../core/drag.ts'
import { breadcrumbsOf, type Crumb, nameOf } from '../core/paths.ts'
import { useSlice } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { listingSlice } from './listing.ts'

/** The way from the root to what is shown; each step of it a link. */
export const Breadcrumbs = view(function Breadcrumbs() {
  const listing = useSlice(listingSlice)
  const crumbs = breadcrumbsOf(listing.currentPath.value)
  const isFile = listing.state.value.kind === 'file' && listing.state.value.path === listing.currentPath.value
  return (
    <nav className="crumbs-nav" aria-label={t('listing.path')}>
      <ol className="crumbs">
        {crumbs.map((crumb, index) => (
          <li key={crumb.path} className={index === crumbs.length - 2 ? 'crumb-back' : undefined}>
            {index > 0 && <Icon name="chevron-right" className="crumb-separator" />}
            <Step crumb={crumb} isCurrent={index === crumbs.length - 1} isFile={isFile && index === crumbs.length - 1} />
          </li>
        ))}
      </ol>
    </nav>
  )
})

const Step = view(function Step({ crumb, isCurrent, isFile }: { crumb: Crumb; isCurrent: boolean; isFile: boolean }) {
  const dragState = useSlice(dragSlice)
  const name = crumb.name || t('sidebar.myFiles')
  return (
    <a
      className="crumb"
      href={pageOf(crumb.path, !isFile)}
      draggable={false}
      data-folder={isFile ? undefined : crumb.path}
      data-drop={dragState.markOf(crumb.path)}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={crumb.isEllipsis ? t('listing.above', { name: isolate(nameOf(crumb.path)) }) : undefined}
      title={crumb.isEllipsis ? crumb.path : name}
    >
      <span dir="auto">{crumb.isEllipsis ? '…' : name}</span>
    </a>
  )
})
