import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { Permissions, ShownRule, Sorting, ViewMode } from './users.ts'

/** The events for which commands can be set. */
export const hookEvents = [
  ...(['after_copy', 'after_delete', 'after_rename', 'after_save', 'after_upload'] as const),
  ...(['before_copy', 'before_delete', 'before_rename', 'before_save', 'before_upload'] as const),
]
export type HookEvent = (typeof hookEvents)[number]

/** The fields that a new user gets unless others are given. */
export const UserDefaults = Type.Object({
  /** A path below the server's root. */
  scope: Type.String(),
  /** '' follows the browser. */
  locale: Type.String(),
  viewMode: ViewMode,
  sorting: Sorting,
  perm: Permissions,
  commands: Type.Array(Type.String()),
})
export type UserDefaults = Static<typeof UserDefaults>

/** How the page presents itself. */
export const Branding = Type.Object({
  /** '' is the name of the product. */
  name: Type.String(),
  disableExternal: Type.Boolean(),
  /** The space of the disk is not shown. */
  disableUsedPercentage: Type.Boolean(),
  /** '' follows the system. */
  theme: Type.Union([Type.Literal(''), Type.Literal('light'), Type.Literal('dark')]),
  /** `#rrggbb`, or '' for the accent of the product. */
  color: Type.String(),
  /** The folder of the host with logo and icons; '' for none. */
  files: Type.String(),
  /** A style sheet; '' for none. */
  css: Type.String(),
})

/** How long a command of an event may run, and how much it may write. */
export const HookLimits = Type.Object({
  seconds: Type.Integer({ minimum: 1, maximum: 600 }),
  /** Of 1,024 bytes. */
  kilobytes: Type.Integer({ minimum: 1, maximum: 1024 }),
})
export type HookLimits = Static<typeof HookLimits>

const commandLists = Object.fromEntries(hookEvents.map((event) => [event, Type.Array(Type.String())]))

/** The settings of the server, as administrators see them. */
export const Settings = Type.Object({
  signup: Type.Boolean(),
  /** Whether a new user without a scope gets a home folder. */
  createUserDir: Type.Boolean(),
  defaults: UserDefaults,
  /** They are asked before the rules of each user. */
  rules: Type.Array(ShownRule),
  branding: Branding,
  /** The program for hooks and its arguments; empty: hooks run without a shell. */
  shell: Type.Array(Type.String()),
  /** Event → command lines. Events of other servers of this API may be among them; they run nothing. */
  commands: Type.Unsafe<Record<HookEvent, string[]>>(
    Type.Object(commandLists, { additionalProperties: Type.Array(Type.String()) }),
  ),
  hookLimits: HookLimits,
})
export type Settings = Static<typeof Settings>

/** The settings, with what the server has found out since it was started. */
export const ShownSettings = Type.Object({
  ...Settings.properties,
  /** What stops everybody from signing up whatever the settings are: nobody has a password, or there are too many users. */
  signupObstacle: Type.Optional(Type.Union([Type.Literal('method'), Type.Literal('room')])),
  /** Near addresses that send forwarded headers and are none of `--trusted-proxy`; absent without any. */
  unnamedProxies: Type.Optional(Type.Array(Type.String())),
})
export type ShownSettings = Static<typeof ShownSettings>

/** What a change may set. Absent fields keep their values, also those in objects; events of other servers do not. */
export type SettingsChange = Partial<Omit<Settings, 'defaults' | 'branding' | 'commands' | 'hookLimits'>> & {
  defaults?: Partial<UserDefaults>
  branding?: Partial<Settings['branding']>
  commands?: Partial<Settings['commands']>
  hookLimits?: Partial<HookLimits>
}

/** The password of who changes; checked when it is sent. */
type Confirmation = { current_password?: string }

export const settingsEndpoints = {
  /** With an `ETag`. */
  'GET /api/settings': { access: 'admin', reply: ShownSettings },
  /** With `If-Match`, 412 when the settings have changed. The handler checks the fields, because its errors name them. */
  'PUT /api/settings': {
    access: 'admin',
    body: Type.Unsafe<SettingsChange & Confirmation>(Type.Object({})),
    changesAccess: true,
  },
} as const satisfies Record<string, Endpoint>
