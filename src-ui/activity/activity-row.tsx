import { Fragment, type ReactNode } from 'react'
import type { ActivityLine } from '../../src-server/contract/activity.ts'
import { formatExactDate } from '../i18n/format.ts'
import { listFormat } from '../i18n/intl.ts'
import { locale } from '../i18n/locale.ts'
import { isolate, t } from '../i18n/t.ts'
import { visibleName } from '../ui/file-names.ts'
import { Icon } from '../ui/icon.tsx'
import { Cell, GroupHead, Row } from '../ui/table.tsx'
import { view } from '../ui/view.tsx'
import { initialsOf } from '../users/initials.ts'
import { fieldsOf, iconOf, isInTrash, reasonOf, timeOf, verbOf } from './entry-words.ts'

/** An entry, and above it the day that begins with it. On a phone it has two lines. */
export const ActivityRow = view(function ActivityRow({ line, day }: { line: ActivityLine; day: string | undefined }) {
  const parts = whatOf(line)
  return (
    <>
      {day !== undefined && (
        <Row className="activity-day">
          <GroupHead colSpan={5}>{day}</GroupHead>
        </Row>
      )}
      <Row className="activity-row" data-failed={line.result === 'failed' || undefined}>
        <Cell className="activity-time">
          <time dateTime={line.time} title={formatExactDate(line.time)}>
            {timeOf(line.time)}
          </time>
        </Cell>
        <Cell className="activity-who">
          <Who line={line} />
        </Cell>
        <Cell className="activity-verb">
          <span>
            <Icon name={iconOf(line)} small />
            <span>{verbOf(line)}</span>
          </span>
        </Cell>
        <Cell className="activity-what">
          {parts.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change
            <Fragment key={index}>
              {index > 0 && ' · '}
              {part}
            </Fragment>
          ))}
        </Cell>
        <Cell className="activity-address" dir="ltr">
          {line.from}
        </Cell>
      </Row>
    </>
  )
})

const Who = view(function Who({ line: { who, way, sender = '' } }: { line: ActivityLine }) {
  const isVisitor = way === 'share' || way === 'request'
  const name = isVisitor ? sender : who
  return (
    <span>
      <span className={isVisitor ? 'avatar activity-visitor' : 'avatar'} aria-hidden="true">
        {isVisitor ? <Icon name="link" small /> : initialsOf(who) || '?'}
      </span>
      {name === '' ? <span>{t(isVisitor ? 'activity.nobody' : 'activity.unknownName')}</span> : <Name text={name} />}
    </span>
  )
})

/** Names come from people: they keep their own direction, and what is invisible in them is shown. */
function Name({ text }: { text: string }) {
  return (
    <bdi className="activity-name" title={visibleName(text)}>
      {visibleName(text)}
    </bdi>
  )
}

/** What it was about, in parts that are separated. */
function whatOf(entry: ActivityLine): ReactNode[] {
  const { path, to, line, user, way, count } = entry
  const [fields, reason] = [fieldsOf(entry), reasonOf(entry)]
  return [
    line !== undefined && (
      <span key="line" className="code">
        <Name text={line} />
      </span>
    ),
    user !== undefined && <Name key="user" text={user} />,
    path !== undefined && to === undefined && <Name key="path" text={path} />,
    path !== undefined && to !== undefined && <Move key="path" path={path} to={to} />,
    isInTrash(entry) && <span key="trash">{t('activity.inTrash')}</span>,
    fields.length > 0 && <span key="fields">{listFormat(locale.value.code).format(fields)}</span>,
    way === 'share' && <span key="way">{t('activity.byLink')}</span>,
    way === 'request' && <span key="way">{t('activity.byRequest')}</span>,
    way === 'job' && <span key="way">{t('activity.byServer')}</span>,
    reason !== '' && <Name key="reason" text={reason} />,
    count !== undefined && count > 1 && <span key="count">{t('activity.times', { count })}</span>,
  ].filter((part) => part !== false)
}

function Move({ path, to }: { path: string; to: string }) {
  return (
    <>
      <Name text={path} /> <Icon name="chevron-right" small />
      <span className="visually-hidden">{t('activity.target', { path: isolate(visibleName(to)) })}</span>
      <span aria-hidden="true">
        <Name text={to} />
      </span>
    </>
  )
}
