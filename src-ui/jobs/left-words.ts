// What an undo has left as it is, and why.
import type { HowChanged, Undone } from '../../src-server/contract/history.ts'
import { nameOf } from '../core/paths.ts'
import { locale } from '../i18n/locale.ts'
import { joinSentences } from '../i18n/sentences.ts'
import { isolate, type Key, t } from '../i18n/t.ts'
import { visibleName } from '../ui/file-names.ts'

/** Why something cannot be undone, or done again. */
export const causes: Readonly<Record<HowChanged, Key>> = {
  missing: 'cause.notFound',
  changed: 'acts.how.changed',
  replaced: 'acts.how.replaced',
  taken: 'cause.conflict',
  cannotTell: 'acts.how.cannotTell',
  notEmpty: 'acts.how.notEmpty',
  noTrash: 'refusal.noTrash',
  forbidden: 'cause.forbidden',
  full: 'cause.full',
  failed: 'acts.how.failed',
  forGood: 'acts.why.forGood',
  purged: 'acts.why.purged',
  restored: 'acts.why.restored',
  throughLink: 'acts.why.throughLink',
  mergedAcross: 'acts.why.mergedAcross',
  outside: 'acts.why.outside',
  tooMany: 'acts.why.many',
  lost: 'acts.why.lost',
  across: 'acts.why.across',
  running: 'acts.why.running',
  newer: 'acts.why.newer',
}

/** @param path '' for what is not within the person's files, of which nothing more is said */
export const placeOf = (path: string): string =>
  path === '' ? t('acts.outside') : visibleName(nameOf(path)) || t('sidebar.myFiles')

/** The most entries whose differences are told one by one. */
const mostTold = 3

/** What was not undone, or not done again, and why. */
export function leftText({ left, more = 0 }: Pick<Undone, 'left' | 'more'>): string {
  const told = left.slice(0, mostTold)
  const rest = left.length - told.length + more
  return joinSentences(
    ...told.map(({ path, how }) => {
      return t('transfer.failure', { name: isolate(placeOf(path)), cause: t(causes[how]) })
    }),
    rest > 0 && moreText(rest),
  )
}

/** `2 more.` as a sentence of its own. */
export function moreText(count: number): string {
  const text = t('prompts.delete.names', { names: t('prompts.delete.more', { count }) })
  const [first = ''] = text
  return first.toLocaleUpperCase(locale.value.code) + text.slice(first.length)
}
