import { faultOf, type Rule } from '../access/rules.ts'
import { blocksBelow } from '../contract/blocks-below.ts'
import type { StateData } from '../state/state-data.ts'
import { allOf, type Views } from '../state/views.ts'

type Log = Readonly<{ warn(text: string): void; info(details: object, text: string): void }>

/** Logs at a start what there is to say about the rules in the state. */
export async function reportRules(state: Pick<Views, 'settings' | 'users'>, log: Log): Promise<void> {
  const settings = await state.settings()
  const users = await allOf((after: number | undefined) => state.users({ after }))
  for (const warning of ruleWarnings({ settings, users })) log.warn(warning)
  const expressions = blockingBelow({ settings, users })
  if (expressions.length > 0) log.info({ expressions }, 'these rules also block what is in the folders that they match')
}

/** What the log says at a start of rules in the state that cannot be applied. */
export function ruleWarnings({ settings, users }: Pick<StateData, 'settings' | 'users'>): string[] {
  const ofServer = faultsIn(settings.rules).map((fault) => `${fault}: only administrators can use files until it is corrected`)
  const ofUsers = users.flatMap(({ username, rules }) =>
    faultsIn(rules).map((fault) => `${fault}: ${JSON.stringify(username)} cannot use files until it is corrected`),
  )
  return [...ofServer, ...ofUsers]
}

/** The denying expressions that block what is in the folders that they match, as the log names them at a start. */
export function blockingBelow({ settings, users }: Pick<StateData, 'settings' | 'users'>): string[] {
  const rules = [settings.rules, ...users.map((user) => user.rules)].flat()
  const denying = rules.filter(({ allow, regex, regexp }) => !allow && regex && blocksBelow(regexp.raw))
  return [...new Set(denying.map(({ regexp }) => regexp.raw))]
}

const faultsIn = (rules: readonly Rule[]) => rules.map(faultOf).filter((fault) => fault !== undefined)
