// Icons that the first page does not show at once: those of menus, dialogs, the selection, the search and the viewer. Their parts import this file.
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconArrowsSort from '@tabler/icons-react/dist/esm/icons/IconArrowsSort.mjs'
import IconAspectRatio from '@tabler/icons-react/dist/esm/icons/IconAspectRatio.mjs'
import IconBadgeCc from '@tabler/icons-react/dist/esm/icons/IconBadgeCc.mjs'
import IconBan from '@tabler/icons-react/dist/esm/icons/IconBan.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import IconClipboard from '@tabler/icons-react/dist/esm/icons/IconClipboard.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconCommand from '@tabler/icons-react/dist/esm/icons/IconCommand.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconCopyPlus from '@tabler/icons-react/dist/esm/icons/IconCopyPlus.mjs'
import IconCursorText from '@tabler/icons-react/dist/esm/icons/IconCursorText.mjs'
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import IconDeviceMobile from '@tabler/icons-react/dist/esm/icons/IconDeviceMobile.mjs'
import IconDeviceTablet from '@tabler/icons-react/dist/esm/icons/IconDeviceTablet.mjs'
import IconDice5 from '@tabler/icons-react/dist/esm/icons/IconDice5.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconFileTypePdf from '@tabler/icons-react/dist/esm/icons/IconFileTypePdf.mjs'
import IconFolderSymlink from '@tabler/icons-react/dist/esm/icons/IconFolderSymlink.mjs'
import IconFolderUp from '@tabler/icons-react/dist/esm/icons/IconFolderUp.mjs'
import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconListCheck from '@tabler/icons-react/dist/esm/icons/IconListCheck.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconLogin2 from '@tabler/icons-react/dist/esm/icons/IconLogin2.mjs'
import IconMaximize from '@tabler/icons-react/dist/esm/icons/IconMaximize.mjs'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconMovie from '@tabler/icons-react/dist/esm/icons/IconMovie.mjs'
import IconMusic from '@tabler/icons-react/dist/esm/icons/IconMusic.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconQrcode from '@tabler/icons-react/dist/esm/icons/IconQrcode.mjs'
import IconScissors from '@tabler/icons-react/dist/esm/icons/IconScissors.mjs'
import IconSelectAll from '@tabler/icons-react/dist/esm/icons/IconSelectAll.mjs'
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import IconShare2 from '@tabler/icons-react/dist/esm/icons/IconShare2.mjs'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import IconTerminal2 from '@tabler/icons-react/dist/esm/icons/IconTerminal2.mjs'
import IconTextWrap from '@tabler/icons-react/dist/esm/icons/IconTextWrap.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import { addIcons } from './icon.tsx'

const drawings = {
  login: IconLogin2,
  check: IconCheck,
  download: IconDownload,
  trash: IconTrash,
  'folder-up': IconFolderUp,
  'cursor-text': IconCursorText,
  'folder-symlink': IconFolderSymlink,
  'copy-plus': IconCopyPlus,
  ban: IconBan,
  'device-floppy': IconDeviceFloppy,
  'text-wrap': IconTextWrap,
  'file-text': IconFileText,
  'arrow-back-up': IconArrowBackUp,
  'arrow-forward-up': IconArrowForwardUp,
  'arrow-left': IconArrowLeft,
  'arrows-sort': IconArrowsSort,
  'aspect-ratio': IconAspectRatio,
  'badge-cc': IconBadgeCc,
  'chevron-left': IconChevronLeft,
  'chevron-up': IconChevronUp,
  clipboard: IconClipboard,
  clock: IconClock,
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
  lock: IconLock,
  qrcode: IconQrcode,
  'share-2': IconShare2,
  scissors: IconScissors,
  'select-all': IconSelectAll,
  settings: IconSettings,
  'terminal-2': IconTerminal2,
  'dice-5': IconDice5,
  'device-desktop': IconDeviceDesktop,
  'device-mobile': IconDeviceMobile,
  'device-tablet': IconDeviceTablet,
  'shield-check': IconShieldCheck,
  'user-plus': IconUserPlus,
}

/** The name of one of these icons. */
export type MoreIconName = keyof typeof drawings

addIcons(drawings)
