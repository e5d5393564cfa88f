// Each icon from its own module: the index of the package imports all icons, so that those of lazy parts would belong to the first page.
import { signal } from '@preact/signals-core'
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconDotsVertical from '@tabler/icons-react/dist/esm/icons/IconDotsVertical.mjs'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import IconFilePlus from '@tabler/icons-react/dist/esm/icons/IconFilePlus.mjs'
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs'
import IconFolderPlus from '@tabler/icons-react/dist/esm/icons/IconFolderPlus.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconLayoutGrid from '@tabler/icons-react/dist/esm/icons/IconLayoutGrid.mjs'
import IconLayoutSidebar from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebar.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import IconLogin2 from '@tabler/icons-react/dist/esm/icons/IconLogin2.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconSortAscending2 from '@tabler/icons-react/dist/esm/icons/IconSortAscending2.mjs'
import IconSortDescending2 from '@tabler/icons-react/dist/esm/icons/IconSortDescending2.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { MoreIconName } from './more-icons.ts'
import { view } from './view.tsx'

const drawings = {
  'alert-circle': IconAlertCircle,
  'arrow-down': IconArrowDown,
  'arrow-left': IconArrowLeft,
  'arrow-up': IconArrowUp,
  'chevron-down': IconChevronDown,
  'chevron-right': IconChevronRight,
  'circle-check': IconCircleCheck,
  dots: IconDots,
  'dots-vertical': IconDotsVertical,
  eye: IconEye,
  'eye-off': IconEyeOff,
  'file-plus': IconFilePlus,
  folder: IconFolder,
  'folder-plus': IconFolderPlus,
  'info-circle': IconInfoCircle,
  'layout-grid': IconLayoutGrid,
  'layout-sidebar': IconLayoutSidebar,
  list: IconList,
  login: IconLogin2,
  logout: IconLogout,
  'menu-2': IconMenu2,
  plus: IconPlus,
  refresh: IconRefresh,
  search: IconSearch,
  'sort-ascending-2': IconSortAscending2,
  'sort-descending-2': IconSortDescending2,
  upload: IconUpload,
  x: IconX,
}

/** The icons that lazy parts bring. */
export const moreIcons = signal<Partial<Record<string, typeof IconX>>>({})

/** The name of an icon of Tabler. */
export type IconName = keyof typeof drawings | MoreIconName

// Icons that are mirrored in right-to-left languages.
const mirrored: ReadonlySet<IconName> = new Set<IconName>([
  'arrow-back-up',
  'arrow-forward-up',
  'arrow-left',
  'chevron-left',
  'chevron-right',
  'login',
  'logout',
  'layout-sidebar',
])

type Props = { name: IconName; small?: boolean; className?: string }

/** An icon, hidden from screen readers: the text beside it or the label of the button names it. */
export function Icon({ name, small = false, className = '' }: Props) {
  const classes = ['icon', small && 'icon-small', mirrored.has(name) && 'icon-mirror', className].filter(Boolean).join(' ')
  const Drawing = name in drawings ? drawings[name as keyof typeof drawings] : undefined
  return Drawing ? <Drawing className={classes} aria-hidden="true" /> : <MoreIcon name={name} classes={classes} />
}

/** Keeps the room of the icon until its part is loaded. */
const MoreIcon = view(function MoreIcon({ name, classes }: { name: IconName; classes: string }) {
  const Drawing = moreIcons.value[name]
  return Drawing ? <Drawing className={classes} aria-hidden="true" /> : <svg className={classes} aria-hidden="true" />
})
