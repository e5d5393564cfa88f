// A plan for people, and for scripts. Neither has passwords, nor hashes of them.
import type { ImportNotice } from '../contract/imports.ts'
import type { ImportPlan } from './plan.ts'
import { listed, type PlanNote, quoted } from './plan-notes.ts'

const titles = {
  changed: 'What comes with another meaning',
  left: 'What does not come',
  look: 'What to look at',
} as const

/** Lines for a terminal. */
export function planText(plan: ImportPlan): string {
  const { users, links, settings, server, notes, stops } = plan
  const counts = countsOf(plan)
  const coming = [
    `${counted(users.length, 'user')} (${listed(users.map(({ username }) => quoted(username))) || 'none'})`,
    `${counted(counts.passwords, 'password')}, with which people sign in as before`,
    counted(counts.rules, 'rule'),
    counted(links.length, 'link'),
    settings === undefined ? 'no settings' : 'the settings',
    ...Object.entries(server.options).map(
      ([name, value]) => `the option ${name}${value === true ? '' : ` ${quoted(String(value))}`}`,
    ),
  ]
  const sections = [
    section('What comes', coming),
    ...(['changed', 'left', 'look'] as const).map((kind) =>
      section(titles[kind], gathered(notes.filter((note) => note.kind === kind))),
    ),
    section(
      'What must be answered first',
      stops.map((stop) => `${stop}.`),
    ),
  ]
  return `${sections.filter((text) => text !== '').join('\n')}`
}

function countsOf({ users, links, settings }: ImportPlan) {
  return {
    users: users.length,
    passwords: users.filter(({ password }) => password !== '').length,
    rules: users.reduce((sum, user) => sum + user.rules.length, 0) + (settings?.rules.length ?? 0),
    links: links.length,
    hasSettings: settings !== undefined,
  }
}

/** Lines of each kind that administrators are shown, and characters of one: the state is written whole. */
const [mostLines, longestLine] = [50, 500]

/** What administrators are shown of a plan, once it is done. */
export function planNotice(plan: ImportPlan): ImportNotice {
  const all = (kind: PlanNote['kind']) => gathered(plan.notes.filter((note) => note.kind === kind))
  const kept = (kind: PlanNote['kind']) => all(kind).slice(0, mostLines).map(shortened)
  const more = (['look', 'changed', 'left'] as const).reduce((sum, kind) => sum + Math.max(0, all(kind).length - mostLines), 0)
  return { ...countsOf(plan), look: kept('look'), changed: kept('changed'), left: kept('left'), more }
}

const shortened = (line: string) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`
}

/** What is said of several is said once. */
function gathered(notes: readonly PlanNote[]): string[] {
  const abouts = new Map<string, Set<string>>()
  for (const { about, text } of notes) abouts.set(text, (abouts.get(text) ?? new Set()).add(about))
  return [...abouts].map(([text, about]) => `${listed([...about])}: ${text}`)
}

/** The plan as JSON, with a line end. */
export function planJson({ users, links, settings, server, notes, stops }: ImportPlan): string {
  const plan = {
    users: users.map(({ password, ...user }) => ({ ...user, hasPassword: password !== '' })),
    links: links.map(({ password, identity: _, ...link }) => ({ ...link, hasPassword: password !== undefined })),
    settings: settings ?? null,
    options: server.options,
    notes,
    stops,
  }
  return `${JSON.stringify(plan, undefined, 2)}\n`
}
