import { isolate, t } from '../i18n/t.ts'
import type { Ending } from './running-command.ts'

/** The names of the signals that end programs, by their numbers, which are the same on all systems. */
const signals: Readonly<Record<number, string>> = {
  ...{ 1: 'HUP', 2: 'INT', 3: 'QUIT', 4: 'ILL', 6: 'ABRT', 8: 'FPE', 9: 'KILL', 11: 'SEGV', 13: 'PIPE', 14: 'ALRM', 15: 'TERM' },
}

/** What is said about the end of a command; '' after a success. */
export function endingText(ending: Ending): string {
  if (ending.kind === 'refused') return t('shell.refused', { reason: isolate(ending.reason) })
  if (ending.kind === 'lost') return t('shell.lost')
  if (ending.kind === 'revoked') return t('shell.revoked')
  if (ending.kind === 'failed') return t('shell.failed')
  if (ending.kind === 'stopped') return t('shell.endedBySignal', { signal: isolate('HUP') })
  if (ending.signal !== undefined)
    return t('shell.endedBySignal', { signal: isolate(signals[ending.signal] ?? `${ending.signal}`) })
  return ending.code === 0 ? '' : t('shell.ended', { code: isolate(`${ending.code}`) })
}
