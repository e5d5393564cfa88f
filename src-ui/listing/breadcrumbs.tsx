import { Fragment } from 'react'
import { pageOf } from '../api/addresses.ts'
import { dragSlice } from '../core/drag.ts'
import { breadcrumbsOf, type Crumb } from '../core/paths.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { visibleName } from '../ui/file-names.ts'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { HiddenSteps } from './hidden-steps.tsx'
import { listingSlice } from './listing.ts'

/** The breadcrumbs: a link for each ancestor, and a menu of those that do not fit. */
export const Breadcrumbs = view(function Breadcrumbs() {
  const listing = useSlice(listingSlice)
  const [root, ...below] = breadcrumbsOf(listing.currentPath.value)
  const ellipsis = below.find(({ isEllipsis }) => isEllipsis)
  const crumbs = [...(root ? [root] : []), ...below.filter((crumb) => crumb !== ellipsis)]
  const isFile = listing.state.value.kind === 'file' && listing.state.value.path === listing.currentPath.value
  return (
    <nav className="crumbs-nav" aria-label={t('listing.path')}>
      <ol className="crumbs">
        {crumbs.map((crumb, index) => (
          <Fragment key={crumb.path}>
            {index === 1 && crumbs.length > 2 && (
              <li className={ellipsis ? 'crumb-hidden' : 'crumb-hidden crumb-narrow'}>
                <Icon name="chevron-right" className="crumb-separator" />
                <HiddenSteps folder={ellipsis?.path} />
              </li>
            )}
            <li className={index === crumbs.length - 2 ? 'crumb-back' : undefined}>
              {index > 0 && <Icon name="chevron-right" className="crumb-separator" />}
              <Step crumb={crumb} isCurrent={index === crumbs.length - 1} isFile={isFile && index === crumbs.length - 1} />
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  )
})

const Step = view(function Step({ crumb, isCurrent, isFile }: { crumb: Crumb; isCurrent: boolean; isFile: boolean }) {
  const dragState = useSlice(dragSlice)
  const name = visibleName(crumb.name) || t('sidebar.myFiles')
  return (
    <a
      className="crumb"
      href={pageOf(crumb.path, !isFile)}
      draggable={false}
      data-folder={isFile ? undefined : crumb.path}
      data-drop={dragState.markOf(crumb.path)}
      aria-current={isCurrent ? 'page' : undefined}
      title={name}
    >
      <span dir="auto">{name}</span>
    </a>
  )
})
