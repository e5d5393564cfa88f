// A plan for people, and for scripts. Neither has passwords, nor hashes of them.
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
  const rules = users.reduce((sum, user) => sum + user.rules.length, 0) + (settings?.rules.length ?? 0)
  const coming = [
    `${counted(users.length, 'user')} (${listed(users.map(({ username }) => quoted(username))) || 'none'})`,
    `${counted(users.filter(({ password }) => password !== '').length, 'password')}, with which people sign in as before`,
    counted(rules, 'rule'),
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
