// The icons of the first page.
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconDotsVertical from '@tabler/icons-react/dist/esm/icons/IconDotsVertical.mjs'
import IconFilePlus from '@tabler/icons-react/dist/esm/icons/IconFilePlus.mjs'
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs'
import IconFolderPlus from '@tabler/icons-react/dist/esm/icons/IconFolderPlus.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconLayoutGrid from '@tabler/icons-react/dist/esm/icons/IconLayoutGrid.mjs'
import IconLayoutSidebar from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebar.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconSortAscending2 from '@tabler/icons-react/dist/esm/icons/IconSortAscending2.mjs'
import IconSortDescending2 from '@tabler/icons-react/dist/esm/icons/IconSortDescending2.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { addIcons } from './icon.tsx'

const drawings = {
  'arrow-down': IconArrowDown,
  'arrow-up': IconArrowUp,
  'chevron-down': IconChevronDown,
  'chevron-right': IconChevronRight,
  'circle-check': IconCircleCheck,
  dots: IconDots,
  'dots-vertical': IconDotsVertical,
  'file-plus': IconFilePlus,
  folder: IconFolder,
  'folder-plus': IconFolderPlus,
  'info-circle': IconInfoCircle,
  'layout-grid': IconLayoutGrid,
  'layout-sidebar': IconLayoutSidebar,
  list: IconList,
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

/** The name of one of these icons. */
export type MainIconName = keyof typeof drawings

addIcons(drawings)
