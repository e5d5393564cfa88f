import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { SettingsRecord, Theme, type UserDefaults } from './records.ts'
import { ShownRule } from './users.ts'

/** The events for which commands can be set. */
export const hookEvents = [
  ...(['after_copy', 'after_delete', 'after_rename', 'after_save', 'after_upload'] as const),
  ...(['before_copy', 'before_delete', 'before_rename', 'before_save', 'before_upload'] as const),
]
export type HookEvent = (typeof hookEvents)[number]

const commandLists = Object.fromEntries(hookEvents.map((event) => [event, Type.Array(Type.String())]))

/** The settings of the server, as administrators see them. */
export const Settings = Type.Object({
  ...SettingsRecord.properties,
  branding: Type.Object({ ...SettingsRecord.properties.branding.properties, theme: Theme }),
  rules: Type.Array(ShownRule),
  commands: Type.Unsafe<Record<HookEvent, string[]>>(
    Type.Object(commandLists, { additionalProperties: Type.Array(Type.String()) }),
  ),
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
export type SettingsChange = Partial<
  Omit<Settings, 'defaults' | 'branding' | 'commands' | 'hookLimits' | 'trash' | 'uploads' | 'archives'>
> & {
  defaults?: Partial<UserDefaults>
  branding?: Partial<Settings['branding']>
  commands?: Partial<Settings['commands']>
  hookLimits?: Partial<Settings['hookLimits']>
  trash?: Partial<Settings['trash']>
  uploads?: Partial<Settings['uploads']>
  archives?: Partial<Settings['archives']>
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
