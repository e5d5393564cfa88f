// What an entry of the activity says.
import type { ActivityLine } from '../../src-server/contract/activity.ts'
import { pageConfig } from '../api/page-config.ts'
import { formatDay } from '../i18n/format.ts'
import { dateFormat } from '../i18n/intl.ts'
import { locale } from '../i18n/locale.ts'
import { type Key, t } from '../i18n/t.ts'
import type { IconName } from '../ui/icon.tsx'

/** Whether what was deleted went into the trash, and not for good. */
export const isInTrash = ({ what, trash, result }: ActivityLine): boolean =>
  what === 'delete' && trash !== undefined && result === 'done'

const userActs = { create: 'userCreated', change: 'userChanged', delete: 'userDeleted' } as const

/** *Uploaded*, or *Upload failed*. */
export const verbOf = (line: ActivityLine): string => t(`activity.${line.result}.${wordOf(line)}` as Key)

function wordOf({ what, act, path, to }: ActivityLine) {
  if (what === 'user') return userActs[act ?? 'change']
  // The log has one kind for both.
  if (what === 'rename' && path !== undefined && to !== undefined && folderOf(path) !== folderOf(to)) return 'move'
  return what
}

const fieldsOfUsers: Readonly<Record<string, Key>> = {
  username: 'login.username',
  password: 'login.password',
  scope: 'users.scope',
  locale: 'settings.language.title',
  lockPassword: 'users.lockPassword',
  viewMode: 'settings.view.title',
  sorting: 'settings.view.sortBy',
  perm: 'users.permissions',
  commands: 'users.commands',
  rules: 'users.rules.title',
}

const fieldsOfServer: Readonly<Record<string, Key>> = {
  signup: 'settings.general.signup',
  createUserDir: 'settings.general.homes',
  defaults: 'settings.defaults.title',
  rules: 'users.rules.title',
  branding: 'settings.branding.title',
  shell: 'settings.general.shell',
  commands: 'settings.hooks.title',
  hookLimits: 'settings.hooks.title',
  trash: 'title.trash',
  uploads: 'uploads.unfinished',
  archives: 'settings.archives.title',
}

/** What was changed, as the cards and forms of the settings call it. */
export function fieldsOf({ what, fields = [] }: ActivityLine): string[] {
  const known = what === 'serverSettings' ? fieldsOfServer : fieldsOfUsers
  return [...new Set(fields.map((field) => wordsFor(known, field)))]
}

/** A reason that is no sentence. */
const reasons: Readonly<Record<string, Key>> = {
  forbidden: 'activity.forbidden',
  notFound: 'cause.notFound',
  conflict: 'cause.conflict',
  busy: 'cause.busy',
  full: 'cause.full',
  internal: 'error.internal',
}

/** Why it failed; '' for nothing to say. */
export function reasonOf({ what, reason = '' }: ActivityLine): string {
  // Without a login page it is not a password that is refused, but a name that another program gives.
  const isPassword = what === 'signIn' && reason === 'forbidden' && pageConfig.LoginPage
  return isPassword ? t('login.wrong') : wordsFor(reasons, reason)
}

function wordsFor(known: Readonly<Record<string, Key>>, name: string): string {
  const key = Object.hasOwn(known, name) ? known[name] : undefined
  return key === undefined ? name : t(key)
}

const folderOf = (path: string) => path.replace(/[^/]+\/?$/, '')

const icons: Record<ActivityLine['what'], IconName> = {
  signIn: 'login-2',
  signOut: 'logout',
  upload: 'upload',
  save: 'pencil',
  copy: 'copy',
  rename: 'pencil',
  delete: 'trash',
  restore: 'arrow-back-up',
  purge: 'trash',
  compress: 'download',
  extract: 'upload',
  share: 'share-2',
  shareChange: 'pencil',
  unshare: 'link',
  download: 'download',
  visit: 'eye',
  settings: 'settings',
  serverSettings: 'settings',
  user: 'shield-check',
  command: 'command',
  commandEnd: 'command',
}

export const iconOf = (line: ActivityLine): IconName => {
  if (line.result === 'failed') return 'alert-circle'
  return wordOf(line) === 'move' ? 'folder-symlink' : (icons[line.what] ?? 'dots')
}

/** The time with seconds, in digits: the day stands above. */
export function timeOf(time: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return time
  const format = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
  return dateFormat(locale.value.code, format).format(date)
}

/** The day of an entry for the reader: two entries of one day have the same. */
export function dayOf(time: string): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? '' : `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`
}

/** *Today*, *Yesterday*, or the date. */
export function dayWords(time: string, now: Date): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (dayOf(time) === dayOf(now.toISOString())) return t('activity.today')
  return dayOf(time) === dayOf(yesterday.toISOString()) ? t('activity.yesterday') : formatDay(time)
}
