// What is said of the entries with which a job has failed.
import type { JobDetails } from '../../src-server/contract/jobs.ts'
import { failureReason } from '../core/failure-reason.ts'
import { listFormat } from '../i18n/intl.ts'
import { locale } from '../i18n/locale.ts'
import { isolate, t } from '../i18n/t.ts'
import { visibleName } from '../ui/file-names.ts'
import { failureIn } from './job-words.ts'

type Failures = JobDetails['failures']
type NameOf = (failure: Failures[number]) => string

/** The most lines. */
const mostListed = 5
/** The most names in a line; of more, two are named and the rest are counted. */
const mostNamed = 3

/**
 * A line for each cause: `a.txt, b.txt and 3 more: You don’t have permission to do this here.`
 * @param count of all that have failed; those without a line are counted in the last one
 * @param nameOf '' for an entry without a name that is known
 */
export function failureLines(failures: Failures, { count, nameOf }: { count: number; nameOf: NameOf }): string[] {
  const byCause = Map.groupBy(failures, (failure) => failureReason(failureIn(failure)))
  const told = [...byCause].slice(0, mostListed)
  const rest = count - told.reduce((sum, [, { length }]) => sum + length, 0)
  const lines = told.map(([cause, alike]) => lineOf(cause, alike.length, namesIn(alike, nameOf)))
  return rest > 0 && told.length > 0 ? [...lines, t('prompts.delete.more', { count: rest })] : lines
}

function lineOf(cause: string, count: number, names: readonly string[]): string {
  if (names.length === 0 && count === 1) return cause
  const name = names.length === 0 ? t('download.items', { count }) : listOf(names, count)
  return t('transfer.failure', { name, cause })
}

const namesIn = (failures: Failures, nameOf: NameOf): string[] => failures.map(nameOf).filter((name) => name !== '')

function listOf(names: readonly string[], count: number): string {
  const shown = count > mostNamed ? names.slice(0, mostNamed - 1) : names
  const rest = count - shown.length
  const all = shown.map((name) => isolate(visibleName(name)))
  return listFormat(locale.value.code).format(rest > 0 ? [...all, t('prompts.delete.more', { count: rest })] : all)
}
