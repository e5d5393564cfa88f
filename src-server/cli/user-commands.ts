import { StartupError } from '../base/startup-error.ts'
import { type Permission, permissionNames } from '../contract/permissions.ts'
import type { InputOf, ResultOf } from '../control/calls.ts'
import { visible } from '../import/plan-notes.ts'
import type { StateCommand } from '../options/subcommands.ts'
import { type Command, type CommandParts, jsonIn, tableOf } from './command.ts'

type ShownUser = ResultOf<'users.list'>[number]

export const userCommands = {
  'users list': async ({ args: [name], ask }) => {
    const all = await ask('users.list', {})
    const users = name === undefined ? all : all.filter(({ id, username }) => username === name || String(id) === name)
    if (name !== undefined && users.length === 0) throw new StartupError(`There is no user ${JSON.stringify(name)}.`)
    return { value: users, text: usersTable(users) }
  },

  'users add': async (parts) => {
    const fields = { ...(await fieldsOf(parts)), username: parts.args[0] }
    const perm = permissionsIn(parts.flag('perm'))
    const password = await newPassword(parts)
    const user = await parts.ask('users.add', { fields: { ...fields, password }, ...(perm && { perm }) })
    return { value: user, text: usersTable([user]) }
  },

  'users update': async (parts) => {
    const [name = ''] = parts.args
    const fields = await fieldsOf(parts)
    const perm = permissionsIn(parts.flag('perm'))
    if (Object.keys(fields).length === 0 && perm === undefined)
      throw new StartupError('Say what is to be changed: holdall help users update lists the options.')
    const user = await parts.ask('users.update', { user: name, fields, ...(perm && { perm }) })
    return { value: user, text: usersTable([user]) }
  },

  'users rename': async ({ args: [name = '', username], ask }) => {
    const user = await ask('users.update', { user: name, fields: { username } })
    return { value: user, text: usersTable([user]) }
  },

  'users remove': async ({ args: [name = ''], ask }) => {
    const removed = await ask('users.remove', { user: name })
    return { value: removed, text: `${visible(removed.username)} is removed. The files are still there.\n` }
  },

  'users passwd': async (parts) => {
    const [user = ''] = parts.args
    const { ask, console, flag } = parts
    const isRandom = flag('random') !== undefined
    if (isRandom && flag('password-file') !== undefined)
      throw new StartupError('--random and --password-file exclude each other: give one or the other.')
    const input = isRandom ? { user, keeps: !console.isTerminal } : { user, password: await newPassword(parts) }
    const set = await ask('users.passwd', input)
    const name = visible(set.username)
    if (set.password !== undefined)
      return { value: set, text: `The new password of ${name} is ${set.password} (it is shown only this once).\n` }
    const text =
      set.file === undefined
        ? `${name} has a new password.`
        : `The new password of ${name} is in ${set.file} until it is changed.`
    return { value: set, text: `${text}\n` }
  },

  'users export': async ({ args: [path = '-'], ask }) => {
    const users = await ask('users.export', {})
    const text = `${JSON.stringify(users, undefined, 2)}\n`
    if (path === '-') return { value: users, text }
    return { value: { users: users.length }, text: `${users.length} users are in ${path}.\n`, file: { path, text } }
  },

  'users import': async ({ args: [file = ''], ask, console }) => {
    const { added, left } = await ask('users.import', { users: await jsonIn(console, file) })
    const lines = [
      `${added.length} users are added.`,
      ...left.map(({ username, reason }) => `${visible(JSON.stringify(username))} does not come: ${reason}.`),
    ]
    return { value: { added, left }, text: `${lines.join('\n')}\n`, code: left.length > 0 ? 1 : 0 }
  },
} as const satisfies Partial<Record<StateCommand, Command>>

function usersTable(users: readonly ShownUser[]): string {
  const rows = users.map(({ id, username, scope, perm, hasPassword }) => [
    ...[String(id), username, scope],
    `${permissionsText(perm)}${hasPassword ? '' : ' (has no password)'}`,
  ])
  return tableOf(['ID', 'NAME', 'SCOPE', 'PERMISSIONS'], rows)
}

/** An administrator has all of them. */
function permissionsText(perm: ShownUser['perm']): string {
  return perm.admin ? 'admin' : permissionNames.filter((name) => perm[name]).join(',') || '-'
}

type Fields = InputOf<'users.add'>['fields']

async function fieldsOf({ flag, console }: CommandParts): Promise<Fields> {
  const [scope, locale, viewMode, commands] = [flag('scope'), flag('locale'), flag('view'), flag('commands')]
  const [rules, sort, locked] = [flag('rules'), flag('sort'), flag('lock-password')]
  return {
    ...(scope !== undefined && { scope }),
    ...(locale !== undefined && { locale }),
    ...(viewMode !== undefined && { viewMode }),
    ...(commands !== undefined && { commands: wordsIn(commands) }),
    ...(rules !== undefined && { rules: withoutProblems(await jsonIn(console, rules)) }),
    ...(sort !== undefined && { sorting: { by: sort.replace(/^-/, ''), asc: !sort.startsWith('-') } }),
    ...(locked !== undefined && { lockPassword: yesOrNo('lock-password', locked) }),
  }
}

/** What is said of a rule that cannot be applied is no part of it. */
export function withoutProblems(rules: unknown): unknown {
  return Array.isArray(rules) ? rules.map(({ problem: _, ...rule }) => rule) : rules
}

const wordsIn = (list: string) =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

function yesOrNo(name: string, given: string): boolean {
  if (given === 'yes' || given === 'true') return true
  if (given === 'no' || given === 'false') return false
  throw new StartupError(`--${name} ${given} is not known: it must be yes or no.`)
}

/** `create,share`: these alone. `+share,-delete`: besides those there are. */
export function permissionsIn(list: string | undefined): InputOf<'users.update'>['perm'] {
  if (list === undefined) return undefined
  const words = wordsIn(list)
  const isChange = words.length > 0 && words.every((word) => /^[+-]/.test(word))
  const names = words.map((word) => (isChange ? word.slice(1) : word))
  const unknown = names.find((name) => !permissionNames.some((known) => known === name))
  if (unknown !== undefined)
    throw new StartupError(
      `--perm ${list}: "${unknown}" is no permission. They are ${permissionNames.join(', ')}, each with + or - before it, or none.`,
    )
  const given = names as readonly Permission[]
  if (!isChange) return { only: given, more: [], less: [] }
  const signed = (sign: string) => given.filter((_, index) => words[index]?.startsWith(sign))
  return { more: signed('+'), less: signed('-') }
}

/** From a file, or typed twice. */
async function newPassword({ flag, console }: CommandParts): Promise<string> {
  const file = flag('password-file')
  if (file !== undefined) return (await console.read(file)).replace(/\r?\n$/, '')
  const typed = await console.askHidden('Password: ')
  if ((await console.askHidden('Again: ')) !== typed) throw new StartupError('the two passwords differ: nothing was changed.')
  return typed
}
