import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { UserRule } from './users.ts'

/** A path of a user that is tried. */
export const RuleTrial = Type.Object({
  /** The user whose rules count after the global ones. */
  username: Type.Optional(Type.String({ maxLength: 1024 })),
  /** From the user's scope. */
  path: Type.String({ maxLength: 4096 }),
  /** Rules that are not stored yet, instead of the global ones. */
  global: Type.Optional(Type.Array(UserRule)),
  /** Rules that are not stored yet, instead of those of the user. */
  own: Type.Optional(Type.Array(UserRule)),
})
export type RuleTrial = Static<typeof RuleTrial>

/** Whether the rules allow a path, and the rule that decides; without it no rule matches. */
export const RuleVerdict = Type.Object({
  allowed: Type.Boolean(),
  decidedBy: Type.Optional(
    Type.Object({
      of: Type.Union([Type.Literal('global'), Type.Literal('user')]),
      /** In its list, from 0. */
      index: Type.Integer(),
    }),
  ),
})
export type RuleVerdict = Static<typeof RuleVerdict>

export const ruleEndpoints = {
  /** Decides from the text of the path alone: where a symbolic link leads is not looked at. The handler checks the body. */
  'POST /api/rules/try': { access: 'admin', body: Type.Unsafe<RuleTrial>({}), reply: RuleVerdict },
} as const satisfies Record<string, Endpoint>
