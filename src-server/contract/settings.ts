import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { Permissions, UserRule as Rule, Sorting, ViewMode } from './users.ts'

/** The events that run commands of the settings. */
export const hookEvents = [
  'before_copy',
  'after_copy',
  'before_delete',
  'after_delete',
  'before_rename',
  'after_rename',
  'before_save',
  'after_save',
  'before_upload',
  'after_upload',
] as const

/** What a new user begins with. */
export const UserDefaults = Type.Object({
  scope: Type.String(),
  locale: Type.String(),
  viewMode: ViewMode,
  sorting: Sorting,
  perm: Permissions,
  commands: Type.Array(Type.String()),
})
export type UserDefaults = Static<typeof UserDefaults>

export const Branding = Type.Object({
  /** '' is the name of the product. */
  name: Type.String(),
  disableExternal: Type.Boolean(),
  /** Whether the space of the disk is not shown. */
  disableUsedPercentage: Type.Boolean(),
  /** '' follows the system; 'light' or 'dark'. */
  theme: Type.String(),
  /** '' or `#rrggbb`. */
  color: Type.String(),
  /** A folder of the host with logo, icons and custom.css; '' for none. */
  files: Type.String(),
})
export type Branding = Static<typeof Branding>

/** The settings of the server. */
export const Settings = Type.Object({
  signup: Type.Boolean(),
  createUserDir: Type.Boolean(),
  /** Where the home folders of new users are made, below the default scope. */
  userHomeBasePath: Type.String(),
  defaults: UserDefaults,
  rules: Type.Array(Rule),
  branding: Branding,
  /** Program and arguments that hooks are run with; empty for none. */
  shell: Type.Array(Type.String()),
  /** Event → command lines. All ten events are in answers. */
  commands: Type.Record(Type.String(), Type.Array(Type.String())),
  /** A stylesheet. */
  css: Type.String(),
})
export type Settings = Static<typeof Settings>

/** A path of a user, and optionally global rules that are not saved yet. */
export const RuleTrial = Type.Object({
  username: Type.String({ maxLength: 1024 }),
  path: Type.String({ maxLength: 8192 }),
  rules: Type.Optional(Type.Array(Rule, { maxItems: 1100 })),
})

/** Whether a path is allowed, and the rule that decides; without one no rule matches. */
export const RuleVerdict = Type.Object({
  allowed: Type.Boolean(),
  decidedBy: Type.Optional(
    Type.Object({
      of: Type.Union([Type.Literal('global'), Type.Literal('user')]),
      /** In its list, from 0. */
      index: Type.Integer(),
      rule: Rule,
    }),
  ),
})
export type RuleVerdict = Static<typeof RuleVerdict>

export const settingsEndpoints = {
  /** With an `ETag`. */
  'GET /api/settings': { access: 'admin', reply: Settings },
  /** Top-level fields that are absent keep their value. `If-Match`: 412 when the settings have changed. */
  'PUT /api/settings': { access: 'admin', body: Type.Unsafe<Partial<Settings>>({}) },
  'POST /api/rules/try': { access: 'admin', body: Type.Unsafe<Static<typeof RuleTrial>>({}), reply: RuleVerdict },
} as const satisfies Record<string, Endpoint>
