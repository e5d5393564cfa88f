import { StartupError } from '../base/startup-error.ts'
import type { ResultOf } from '../control/calls.ts'
import { visible } from '../import/plan-notes.ts'
import type { StateCommand } from '../options/subcommands.ts'
import { type Command, type CommandParts, tableOf } from './command.ts'

type Rule = ResultOf<'rules.list'>[number]

export const ruleCommands = {
  'rules list': async (parts) => {
    const rules = await parts.ask('rules.list', whose(parts))
    const rows = rules.map((rule, index) => [String(index + 1), ...wordsOf(rule), rule.problem ?? ''])
    return { value: rules, text: tableOf(['NUMBER', 'DOES', 'TO', 'WHAT', 'PROBLEM'], rows) }
  },

  'rules add': async (parts) => {
    const { args, flag, ask } = parts
    const rule = { allow: flag('allow') !== undefined, regex: flag('regex') !== undefined, text: args[0] ?? '' }
    const added = await ask('rules.add', { ...rule, ...whose(parts) })
    return { value: added, text: `${sentenceOf(parts, added.number)} is: ${textOf(added.rule)}\n` }
  },

  'rules remove': async (parts) => {
    const number = numberIn(parts.args[0] ?? '', 'rule', 'rules list')
    const removed = await parts.ask('rules.remove', { ...whose(parts), number })
    return { value: removed, text: `${sentenceOf(parts, removed.number)} is removed: ${textOf(removed.rule)}\n` }
  },

  'rules test': async (parts) => {
    const tested = await parts.ask('rules.test', { ...whose(parts), path: parts.args[0] ?? '' })
    const { allowed, decidedBy, path, rule } = tested
    const by = decidedBy && rule && `${ruleName(decidedBy.of === 'user' ? parts.flag('user') : undefined, decidedBy.index + 1)}`
    const reason = by === undefined ? 'no rule matches' : `${by}, ${textOf(rule as Rule)}`
    return { value: tested, text: `${visible(path)} is ${allowed ? 'allowed' : 'denied'}: ${reason}\n` }
  },
} as const satisfies Partial<Record<StateCommand, Command>>

function whose({ flag }: CommandParts): { user?: string } {
  const user = flag('user')
  return user === undefined ? {} : { user }
}

const wordsOf = ({ allow, regex, path, regexp }: Rule) => [
  ...[allow ? 'allow' : 'deny', regex ? 'expression' : 'path', regex ? regexp.raw : path],
]

const textOf = (rule: Rule) => visible(wordsOf(rule).join(' '))

const ruleName = (user: string | undefined, number: number) =>
  user === undefined ? `global rule ${number}` : `rule ${number} of ${visible(user)}`

function sentenceOf({ flag }: CommandParts, number: number): string {
  const name = ruleName(flag('user'), number)
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** @param what is numbered @param list the command that shows the numbers @throws StartupError */
export function numberIn(text: string, what: string, list: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new StartupError(`"${text}" is no number of a ${what}: they count from 1, as holdall ${list} shows them.`)
}
