// What is said of an act.
import type { Act, WhyNot } from '../../src-server/contract/history.ts'
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

/** `delete of “a.txt”`, `move of 3 items`: for the middle of a sentence. */
export function actPhrase({ kind, count, names }: Pick<Act, 'kind' | 'count' | 'names'>): string {
  const [first] = names
  if (count === 1 && first !== undefined) return t(`acts.one.${kind}`, { name: isolate(visibleName(first)) })
  return t(`acts.several.${several[kind]}`, { count })
}

/** The same by itself. */
export function actTitle(act: Act): string {
  const phrase = actPhrase(act)
  const [first = ''] = phrase
  return first.toLocaleUpperCase(locale.value.code) + phrase.slice(first.length)
}

/** `Undo delete of 3 items`. */
export const flipLabel = (act: Act, direction: Direction): string => t(`acts.${direction}`, { act: actPhrase(act) })

/** When it was done and where, and why it is not as it was or cannot be undone. */
export function actState(act: Act): string {
  const { at, begun, folder, state, why } = act
  const states: Partial<Record<Act['state'], Key>> = { undone: 'acts.isUndone', partly: 'acts.isPartly' }
  const key = begun ? 'acts.brokeOff' : states[state]
  return [formatAge(at), isolate(placeOf(folder)), key && t(key), why && whyText(why)].filter(Boolean).join(' · ')
}

/** Why an act can be neither undone nor done again. */
export const whyText = (why: WhyNot): string => t(causes[why])
