import { useId } from 'react'
import type { HookEvent } from '../../src-server/contract/settings.ts'
import { pageConfig } from '../api/page-config.ts'
import { t } from '../i18n/t.ts'
import { Card, Section } from '../ui/card.tsx'
import { Field, FieldError } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { CardFoot } from './card-foot.tsx'
import { filledLines, hooks, type Loaded } from './global-settings.ts'
import { useGlobalCard } from './use-global-card.ts'

const acts = ['copy', 'rename', 'upload', 'delete', 'save'] as const
const whens = ['before', 'after'] as const
const events = acts.flatMap((act) => whens.map((when) => ({ event: `${when}_${act}` as HookEvent, act, when })))
const limits = [
  { name: 'seconds', label: 'settings.hooks.timeLimit', hint: 'settings.hooks.timeLimitHint' },
  { name: 'kilobytes', label: 'settings.hooks.outputLimit', hint: 'settings.hooks.outputLimitHint' },
] as const
const names = ['hookLimits.seconds', 'hookLimits.kilobytes', 'commands', ...events.map(({ event }) => `commands.${event}`)]

const labelOf = ({ when, act }: (typeof events)[number]) => t(`settings.hooks.${when}.${act}`)

/** The commands that run before and after changes of files. Without --enable-exec none runs, and what is stored stays. */
export const HooksCard = view(function HooksCard({ loaded }: { loaded: Loaded }) {
  const card = useGlobalCard(hooks, loaded, { names, done: () => t('settings.hooks.updated') })
  const { draft, setDraft, problems } = card
  const isOff = !pageConfig.EnableExec
  const theirs = card.theirs && hooks.toDraft(card.theirs)
  const title = t('settings.hooks.title')
  return (
    <Card label={title} onSubmit={() => void (isOff || card.save())}>
      <Section title={title} text={t('settings.hooks.text')}>
        {isOff && (
          <p className="notice">
            <Icon name="info-circle" small />
            <span>{t('settings.hooks.off', { flag: '\u2066--enable-exec\u2069' })}</span>
          </p>
        )}
        <div className="folds">
          {events.map((named) => (
            <Fold
              key={named.event}
              label={labelOf(named)}
              text={draft[named.event]}
              disabled={isOff}
              problem={problems.fields[`commands.${named.event}`]}
              onText={(text) => setDraft({ ...draft, [named.event]: text })}
            />
          ))}
        </div>
        <div className="pair">
          {limits.map(({ name, label, hint }) => (
            <Field
              key={name}
              label={t(label)}
              hint={t(hint)}
              inputMode="numeric"
              autoComplete="off"
              value={draft[name]}
              disabled={isOff}
              error={problems.fields[`hookLimits.${name}`]}
              onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
            />
          ))}
        </div>
        <CardFoot
          card={card}
          disabled={isOff}
          differences={[
            ...events.map((named) => ({ label: labelOf(named), key: named.event })),
            ...limits.map(({ name, label }) => ({ label: t(label), key: name })),
          ].map(({ label, key }) => ({ label, mine: draft[key], theirs: theirs?.[key] ?? '' }))}
        />
      </Section>
    </Card>
  )
})

type FoldProps = { label: string; text: string; disabled: boolean; problem: string | undefined; onText: (text: string) => void }

/** One event; it is open at first when it has commands. */
function Fold({ label, text, disabled, problem, onText }: FoldProps) {
  const id = useId()
  const count = filledLines(text).length
  return (
    <details className="fold" open={problem ? true : undefined}>
      <summary className="fold-head">
        <Icon name="chevron-right" small />
        <span className="label">{label}</span>
        {count > 0 && (
          <span className="tag" title={t('settings.hooks.count', { count })}>
            <span aria-hidden="true">{count}</span>
            <span className="visually-hidden">{t('settings.hooks.count', { count })}</span>
          </span>
        )}
      </summary>
      <div className="fold-body">
        <textarea
          className="input input-code"
          dir="ltr"
          aria-label={label}
          value={text}
          disabled={disabled}
          spellCheck={false}
          autoCapitalize="none"
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? id : undefined}
          onChange={(event) => onText(event.target.value)}
        />
        {problem && <FieldError id={id} text={problem} />}
      </div>
    </details>
  )
}
