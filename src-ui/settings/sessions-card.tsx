import type { Session } from '../../src-server/contract/session.ts'
import { call } from '../api/http.ts'
import { Loading, useLoaded } from '../core/loaded.tsx'
import { useSaving } from '../core/use-saving.ts'
import { formatAge } from '../i18n/age.ts'
import { formatDay } from '../i18n/format.ts'
import { type Key, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Card, Section } from '../ui/card.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { type ClientKind, clientKind, isNear } from './client-kind.ts'

/** Where a person is signed in, and how to end that. */
export const SessionsCard = view(function SessionsCard() {
  const loaded = useLoaded(readSessions)
  const { isBusy, save } = useSaving()
  const end = async (work: () => Promise<unknown>) => {
    const ended = { done: () => t('settings.sessions.ended'), failed: t('settings.sessions.notEnded') }
    if (await save({ work, ...ended })) loaded.reload()
  }
  const title = t('settings.sessions.title')
  return (
    <Card label={title}>
      <Section title={title} text={t('settings.sessions.text')}>
        <Loading loaded={loaded}>
          {(sessions) => (
            <>
              <ul className="entries">
                {sessions.toSorted(currentFirst).map((session) => (
                  <Entry key={session.id} session={session} onEnd={() => void end(() => endSession(session.id))} />
                ))}
              </ul>
              {sessions.length > 1 && (
                <div className="form-foot">
                  <Button
                    icon="logout"
                    busy={isBusy}
                    label={t('settings.sessions.endOthers')}
                    onClick={() => void end(endOthers)}
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

function Entry({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { address, agent, createdAt, usedAt, isCurrent } = session
  const { icon, label } = kinds[clientKind(agent)]
  const name = t(label)
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
          className="button-danger-quiet"
          label={t('settings.sessions.end')}
          aria-label={t('settings.sessions.endNamed', { name, address })}
          onClick={onEnd}
        />
      )}
    </li>
  )
}
