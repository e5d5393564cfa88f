// Icons that the first page does not need: those of menus, dialogs, the search and the viewer. Their parts import this file.
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowsSort,
  IconAspectRatio,
  IconBadgeCc,
  IconChevronLeft,
  IconChevronUp,
  IconClipboard,
  IconCommand,
  IconCopy,
  IconExternalLink,
  IconFileTypePdf,
  IconHelpCircle,
  IconLink,
  IconListCheck,
  IconMaximize,
  IconMinus,
  IconMovie,
  IconMusic,
  IconPencil,
  IconPhoto,
  IconPlayerPause,
  IconPlayerPlay,
  IconScissors,
  IconSelectAll,
} from '@tabler/icons-react'
import { moreIcons } from './icon.tsx'

const drawings = {
  'arrow-back-up': IconArrowBackUp,
  'arrow-forward-up': IconArrowForwardUp,
  'arrows-sort': IconArrowsSort,
  'aspect-ratio': IconAspectRatio,
  'badge-cc': IconBadgeCc,
  'chevron-left': IconChevronLeft,
  'chevron-up': IconChevronUp,
  clipboard: IconClipboard,
  command: IconCommand,
  copy: IconCopy,
  'external-link': IconExternalLink,
  'file-type-pdf': IconFileTypePdf,
  'help-circle': IconHelpCircle,
  link: IconLink,
  'list-check': IconListCheck,
  maximize: IconMaximize,
  minus: IconMinus,
  movie: IconMovie,
  music: IconMusic,
  pencil: IconPencil,
  photo: IconPhoto,
  'player-pause': IconPlayerPause,
  'player-play': IconPlayerPlay,
  scissors: IconScissors,
  'select-all': IconSelectAll,
}

/** The name of one of these icons. */
export type MoreIconName = keyof typeof drawings

moreIcons.value = drawings
