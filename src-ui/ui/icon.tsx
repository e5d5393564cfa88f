import {
  IconAlertCircle,
  IconArrowDown,
  IconArrowLeft,
  IconArrowUp,
  IconCheck,
  IconChevronDown,
  IconChevronRight,
  IconChevronUp,
  IconCircleCheck,
  IconDots,
  IconDotsVertical,
  IconDownload,
  IconEye,
  IconEyeOff,
  IconFilePlus,
  IconFolder,
  IconFolderPlus,
  IconFolderUp,
  IconHelpCircle,
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
  IconUpload,
  IconX,
} from '@tabler/icons-react'

const drawings = {
  'alert-circle': IconAlertCircle,
  'arrow-down': IconArrowDown,
  'arrow-left': IconArrowLeft,
  'arrow-up': IconArrowUp,
  check: IconCheck,
  'chevron-down': IconChevronDown,
  'chevron-right': IconChevronRight,
  'chevron-up': IconChevronUp,
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
  'help-circle': IconHelpCircle,
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
  x: IconX,
}

export type IconName = keyof typeof drawings

// Arrows along the line of reading turn round where reading does.
const alongTheLine: ReadonlySet<IconName> = new Set<IconName>([
  'arrow-left',
  'chevron-right',
  'login',
  'logout',
  'layout-sidebar',
])

type Props = { name: IconName; small?: boolean; className?: string }

/** A drawing of the one set, for the eye alone: what it means stands beside it or in the button's label. */
export function Icon({ name, small = false, className = '' }: Props) {
  const Drawing = drawings[name]
  const classes = ['icon', small && 'icon-small', alongTheLine.has(name) && 'icon-mirror', className].filter(Boolean).join(' ')
  return <Drawing className={classes} aria-hidden="true" />
}
