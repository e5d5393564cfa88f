import { isDeepStrictEqual } from 'node:util'
import { faultOf, type Rule, shownRule } from '../access/rules.ts'
import { readFields } from '../api/user-fields.ts'
import { Failure } from '../base/failure.ts'
import { parsePath, rootPath } from '../base/paths.ts'
import type { RuleVerdict } from '../contract/rules.ts'
import type { ShownRule } from '../contract/users.ts'
import { CallRefusal } from './call-refusal.ts'
import { type OperatorServices, userCalled } from './operator-services.ts'

/** Whose rules: those of a user, or without one the global ones. */
type Whose = Readonly<{ user?: string }>

/** A rule that is to be added: `text` is a path, or with `regex` an expression. */
type NewRule = Readonly<{ allow: boolean; regex: boolean; text: string }>

/** `number`: the place in its list, from 1. */
export type NumberedRule = Readonly<{ number: number; rule: ShownRule }>

export const ruleCalls = {
  'rules.list': async (services: OperatorServices, { user }: Whose): Promise<ShownRule[]> =>
    (await rulesOf(services, user)).map(shownRule),

  /** Adds one behind the others, so that it decides wherever it matches. */
  'rules.add': async (services: OperatorServices, { user, ...added }: NewRule & Whose): Promise<NumberedRule> => {
    const rule = ruleFrom(added)
    const number = await addRule(services, user, rule)
    return { number, rule }
  },

  'rules.remove': async (services: OperatorServices, { user, number }: Whose & { number: number }): Promise<NumberedRule> => {
    const rule = (await rulesOf(services, user))[number - 1]
    if (rule === undefined) throw new CallRefusal(`there is no rule ${number}: rules list shows them`)
    const edit = (rules: readonly Rule[]) => {
      if (!isDeepStrictEqual(rules[number - 1], rule)) throw new Failure('changed')
      return rules.toSpliced(number - 1, 1)
    }
    await changeRules(services, user, { edit, isChecked: false })
    return { number, rule: shownRule(rule) }
  },

  /** What the rules say of a path of a user; without one, what the global ones say. Where a link on the disk leads is not looked at. */
  'rules.test': async (
    services: OperatorServices,
    { user, path }: Whose & { path: string },
  ): Promise<RuleVerdict & { path: string; rule?: Rule }> => {
    const settings = await services.settings()
    const global = await rulesOf(services, undefined)
    const own = user === undefined ? [] : await rulesOf(services, user)
    const fault = [...global, ...own].map(faultOf).find((problem) => problem !== undefined)
    if (fault !== undefined) throw new CallRefusal(`${fault}: until it is corrected the rules decide nothing`)
    const asked = parsePath(path)
    const verdict = settings.decide(asked, own, global)
    const { of, index = -1 } = verdict.decidedBy ?? {}
    const rule = (of === 'user' ? own : global)[index]
    return { path: asked, ...verdict, ...(rule && { rule }) }
  },
}

async function rulesOf({ state }: OperatorServices, user: string | undefined): Promise<readonly Rule[]> {
  return user === undefined ? (await state.settings()).rules : (await userCalled(state, user)).rules
}

function ruleFrom({ allow, regex, text }: NewRule): Rule {
  const path = regex ? '' : parsePath(text)
  // `.` is a slip of the keyboard, and would block everything.
  if (text === '' || (path === rootPath && text !== '/'))
    throw new CallRefusal('a rule needs a path, such as /secret; / is everything')
  return { allow, regex, path, regexp: { raw: regex ? text : '' } }
}

type Edit = Readonly<{
  edit(rules: readonly Rule[]): readonly Rule[]
  /** Whether all are checked: one that cannot be applied must not keep another one from being removed. */
  isChecked?: boolean
}>

/** @throws Failure('changed') when somebody has changed them meanwhile @returns how many there are */
async function changeRules(
  services: OperatorServices,
  user: string | undefined,
  { edit, isChecked = true }: Edit,
): Promise<number> {
  const settings = await services.settings()
  const { version } = settings.read()
  const before = await rulesOf(services, user)
  const edited = edit(before)
  const rules = (isChecked ? (readFields({ rules: edited }, ['rules']).rules ?? []) : edited) as Rule[]
  if (user === undefined) await settings.change({ rules }, { versions: [version] })
  else await (await services.users()).change((await userCalled(services.state, user)).id, { rules }, { formerRules: before })
  return rules.length
}

/** Times that a rule is added to what others have changed meanwhile. */
const mostTries = 10

async function addRule(services: OperatorServices, user: string | undefined, rule: Rule): Promise<number> {
  for (let left = mostTries; ; left--) {
    try {
      return await changeRules(services, user, { edit: (rules) => [...rules, rule] })
    } catch (error) {
      if (left === 0 || !(error instanceof Failure && error.code === 'changed')) throw error
    }
  }
}
