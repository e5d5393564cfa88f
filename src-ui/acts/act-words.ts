// What is said of an act.
import type { Act, Undone, WhyNot } from '../../src-server/contract/history.ts'
import { formatAge } from '../i18n/age.ts'
import { locale } from '../i18n/locale.ts'
import { isolate, type Key, t } from '../i18n/t.ts'
import { causes, placeOf } from '../jobs/left-words.ts'
import { visibleName } from '../ui/file-names.ts'
import type { Direction } from './acts.ts'

/** Kinds of acts with several entries that are said alike. */
const several = {
  upload: 'adding',
  newFolder: 'adding',
  save: 'change',
  copy: 'copy',
  rename: 'change',
  move: 'move',
  delete: 'delete',
  restore: 'restore',
} as const

/**
 * `delete of “a.txt”`, `move of 3 items`: for the middle of a sentence.
 * @param part how many of its entries it is about, where not about all: it is not known which
 */
export function actPhrase({ kind, count, names }: Pick<Act, 'kind' | 'count' | 'names'>, part: number = count): string {
  const [first] = names
  if (count === 1 && first !== undefined) return t(`acts.one.${kind}`, { name: isolate(visibleName(first)) })
  return t(`acts.several.${several[kind]}`, { count: part })
}

/** How many entries of an act were undone, or done again, as far as the page can tell: of what is left in one, one is not counted. */
export function countOf(act: Pick<Act, 'count' | 'folder'>, { done, left, more = 0 }: Omit<Undone, 'act'>): number {
  if (left.length === 0) return act.count
  const below = act.folder === '/' ? '/' : `${act.folder}/`
  const entryOf = (path: string) => (path.startsWith(below) ? path.slice(below.length).split('/')[0] : path)
  const entries = new Set(left.map(({ path }) => entryOf(path)))
  return Math.max(1, Math.min(done, act.count - entries.size - more))
}

/** The same by itself. */
export function actTitle(act: Act): string {
  const phrase = actPhrase(act)
  const [first = ''] = phrase
  return first.toLocaleUpperCase(locale.value.code) + phrase.slice(first.length)
}

/** `Undo delete of 3 items`. */
export const flipLabel = (act: Act, direction: Direction, part?: number): string =>
  t(`acts.${direction}`, { act: actPhrase(act, part) })

/** When it was done and where, and why it is not as it was or cannot be undone. */
export function actState(act: Act): string {
  const { at, begun, folder, state, why } = act
  const states: Partial<Record<Act['state'], Key>> = { undone: 'acts.isUndone', partly: 'acts.isPartly' }
  const key = begun ? 'acts.brokeOff' : states[state]
  return [formatAge(at), isolate(placeOf(folder)), key && t(key), why && whyText(why)].filter(Boolean).join(' · ')
}

/** Why an act can be neither undone nor done again. */
export const whyText = (why: WhyNot): string => t(causes[why])
