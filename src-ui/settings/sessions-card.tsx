import { useEffect, useId, useRef, useState } from 'react'
import type { Session } from '../../src-server/contract/session.ts'
import { call } from '../api/http.ts'
import { Loading, useLoaded } from '../core/loaded.tsx'
import { useSaving } from '../core/use-saving.ts'
import { formatAge } from '../i18n/age.ts'
import { formatDay } from '../i18n/format.ts'
import { type Key, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Card, Section } from '../ui/card.tsx'
import { focusBack } from '../ui/focus-back.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { type ClientKind, clientKind, clientName, isNear } from './client-kind.ts'

/** Where a person is signed in, and how to end that. */
export const SessionsCard = view(function SessionsCard() {
  const loaded = useLoaded(readSessions)
  const { isBusy, save } = useSaving()
  /** What ends, or has ended last. */
  const [ending, setEnding] = useState<Ending>()
  const list = useRef<HTMLUListElement>(null)
  const noteId = useId()
  const end = async (what: Ending, work: () => Promise<unknown>) => {
    if (isBusy) return
    setEnding(what)
    const ended = { done: () => t('settings.sessions.ended'), failed: t('settings.sessions.notEnded') }
    if (await save({ work, ...ended })) loaded.reload()
  }
  const buttonOf = (what: Ending) => ({ busy: isBusy && ending === what, disabled: isBusy && ending !== what })
  // The button goes with its session.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each reading
  useEffect(() => {
    if (ending !== undefined) focusBack(list.current?.querySelector('button') ?? null)
  }, [loaded.value])
  const title = t('settings.sessions.title')
  return (
    <Card label={title}>
      <Section title={title} text={t('settings.sessions.text')}>
        <Loading loaded={loaded}>
          {(sessions) => (
            <>
              <ul className="entries" ref={list}>
                {sessions.toSorted(currentFirst).map((session) => (
                  <Entry
                    key={session.id}
                    session={session}
                    button={buttonOf(session.id)}
                    onEnd={() => void end(session.id, () => endSession(session.id))}
                  />
                ))}
              </ul>
              {sessions.length > 1 && (
                <div className="form-foot">
                  <span id={noteId} className="grow muted">
                    {t('settings.sessions.endsJobs')}
                  </span>
                  <Button
                    icon="logout"
                    aria-describedby={noteId}
                    {...buttonOf(others)}
                    label={t('settings.sessions.endOthers')}
                    onClick={() => void end(others, endOthers)}
                  />
                </div>
              )}
            </>
          )}
        </Loading>
      </Section>
    </Card>
  )
})

/** The id of a session, or `others`. */
type Ending = string | typeof others

const others = Symbol('others')

const readSessions = (signal: AbortSignal) => call('GET /api/sessions', { signal })
const endSession = (session: string) => call('DELETE /api/sessions/:session', { params: { session } })
const endOthers = () => call('DELETE /api/sessions')
const currentFirst = (one: Session, other: Session) => Number(other.isCurrent) - Number(one.isCurrent)

const kinds: Record<ClientKind, { icon: IconName; label: Key }> = {
  computer: { icon: 'device-desktop', label: 'settings.sessions.computer' },
  phone: { icon: 'device-mobile', label: 'settings.sessions.phone' },
  tablet: { icon: 'device-tablet', label: 'settings.sessions.tablet' },
  program: { icon: 'command', label: 'settings.sessions.program' },
}

type EntryProps = { session: Session; button: { busy: boolean; disabled: boolean }; onEnd: () => void }

function Entry({ session, button, onEnd }: EntryProps) {
  const { address, agent, createdAt, usedAt, isCurrent } = session
  const { icon, label } = kinds[clientKind(agent)]
  const client = clientName(agent)
  const name = client === '' ? t(label) : `${t(label)} · ${client}`
  return (
    <li className="object entry" title={agent}>
      <Icon name={icon} />
      <span className="object-words grow">
        <span>{name}</span>
        {address && (
          <small>
            <bdi dir="ltr">{address}</bdi> · {t(isNear(address) ? 'settings.sessions.near' : 'settings.sessions.outside')}
          </small>
        )}
        <small>
          {t('settings.sessions.since', { day: formatDay(createdAt * 1000) })} ·{' '}
          {isCurrent ? t('settings.sessions.now') : t('settings.sessions.used', { age: formatAge(usedAt * 1000) })}
        </small>
      </span>
      {isCurrent ? (
        <span className="tag tag-accent">{t('settings.sessions.current')}</span>
      ) : (
        <Button
          small
          {...button}
          className="button-danger-quiet"
          label={t('settings.sessions.end')}
          aria-label={t('settings.sessions.endNamed', { name, address })}
          onClick={onEnd}
        />
      )}
    </li>
  )
}
