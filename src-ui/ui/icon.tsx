import { signal } from '@preact/signals-core'
import {
  IconAlertCircle,
  IconArrowDown,
  IconArrowLeft,
  IconArrowUp,
  IconBan,
  IconCheck,
  IconChevronDown,
  IconChevronRight,
  IconCircleCheck,
  IconCopyPlus,
  IconCursorText,
  IconDots,
  IconDotsVertical,
  IconDownload,
  IconEye,
  IconEyeOff,
  IconFilePlus,
  IconFolder,
  IconFolderPlus,
  IconFolderSymlink,
  IconFolderUp,
  IconInfoCircle,
  IconLayoutGrid,
  IconLayoutSidebar,
  IconList,
  IconLogin2,
  IconLogout,
  IconMenu2,
  IconPlus,
  IconRefresh,
  IconSearch,
  IconSettings,
  IconSortAscending2,
  IconSortDescending2,
  IconTrash,
  IconUpload,
  IconX,
} from '@tabler/icons-react'
import type { MoreIconName } from './more-icons.ts'
import { view } from './view.tsx'

const drawings = {
  'alert-circle': IconAlertCircle,
  'arrow-down': IconArrowDown,
  'arrow-left': IconArrowLeft,
  'arrow-up': IconArrowUp,
  ban: IconBan,
  check: IconCheck,
  'chevron-down': IconChevronDown,
  'chevron-right': IconChevronRight,
  'circle-check': IconCircleCheck,
  dots: IconDots,
  'dots-vertical': IconDotsVertical,
  download: IconDownload,
  eye: IconEye,
  'eye-off': IconEyeOff,
  'file-plus': IconFilePlus,
  folder: IconFolder,
  'folder-plus': IconFolderPlus,
  'folder-up': IconFolderUp,
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
  settings: IconSettings,
  'sort-ascending-2': IconSortAscending2,
  'sort-descending-2': IconSortDescending2,
  upload: IconUpload,
  'copy-plus': IconCopyPlus,
  'cursor-text': IconCursorText,
  'folder-symlink': IconFolderSymlink,
  trash: IconTrash,
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
