import { useEffect } from 'react'
import { formatNumber } from '../i18n/format.ts'
import { type Key, t } from '../i18n/t.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field, Labelled, useRefusedFocus } from '../ui/field.tsx'
import { Choice, Select } from '../ui/select.tsx'
import { view } from '../ui/view.tsx'
import { ExpiryFields } from './expiry-fields.tsx'
import { LinkPassword } from './link-password.tsx'
import { mostEndings, mostFilesEver, type RequestDraft, type SizeUnit, sizeUnits } from './request-draft.ts'
import type { RequestLinks } from './request-links.ts'

const kinds = ['any', 'pictures', 'documents', 'own'] as const

/** The form of a link that takes files in. */
export const RequestForm = view(function RequestForm({ state }: { state: RequestLinks }) {
  const draft = state.draft.value
  const problems = state.problems.value
  const isNew = state.mode.value === 'new'
  const hasPassword = state.shown.value?.hasPassword ?? false
  const fields = useRefusedFocus<HTMLDivElement>(Object.keys(problems).length > 0 && problems)
  useEffect(() => fields.current?.querySelector<HTMLElement>('input')?.focus(), [fields])
  const toggle = (name: 'asksName' | 'hasFolders' | 'tells') => (
    <Checkbox label={t(`requests.${name}`)} isOn={draft[name]} onChange={(isOn) => state.change({ [name]: isOn })} />
  )
  return (
    <div className="link-form" ref={fields}>
      <Field
        label={t('requests.pageTitle')}
        error={problems.title ? t('requests.titleProblem') : undefined}
        dir="auto"
        maxLength={200}
        autoComplete="off"
        value={draft.title}
        onChange={(event) => state.change({ title: event.target.value })}
      />
      <Labelled label={t('requests.text')}>
        {(id, said) => (
          <textarea
            className="input request-note"
            id={id}
            aria-describedby={said}
            dir="auto"
            rows={2}
            maxLength={2000}
            value={draft.text}
            onChange={(event) => state.change({ text: event.target.value })}
          />
        )}
      </Labelled>
      <ExpiryFields state={state} />
      <div className="request-pair">
        <Size state={state} of="file" label={t('requests.mostFileBytes')} />
        <Size state={state} of="all" label={t('requests.mostBytes')} />
        <Count state={state} name="mostFiles" />
        <Count state={state} name="filesAnHour" />
      </div>
      <Select
        label={t('requests.kinds')}
        value={draft.kind}
        options={kinds.map((value) => ({ value, label: t(`requests.kind.${value}`) }))}
        onValue={(kind) => state.change({ kind })}
      />
      {draft.kind === 'own' && (
        <Field
          label={t('requests.endings')}
          hint={t('requests.endingsHint')}
          error={problems.endings ? t('requests.endingsProblem', { most: formatNumber(mostEndings) }) : undefined}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={draft.endings}
          onChange={(event) => state.change({ endings: event.target.value })}
        />
      )}
      <div className="request-toggles">
        {toggle('asksName')}
        {isNew && toggle('hasFolders')}
        {toggle('tells')}
      </div>
      <LinkPassword
        label={t(hasPassword ? 'shares.newPassword' : 'shares.password')}
        hint={t(hasPassword ? 'shares.passwordKept' : 'requests.passwordHint')}
        value={draft.password}
        disabled={draft.isRemoved}
        isRefused={problems.password ?? false}
        onValue={(password) => state.change({ password })}
      />
      {hasPassword && (
        <Checkbox
          label={t('shares.removePassword')}
          isOn={draft.isRemoved}
          onChange={(isRemoved) => state.change({ isRemoved, password: '' })}
        />
      )}
    </div>
  )
})

type SizeProps = { state: RequestLinks; of: 'file' | 'all'; label: string }

/** A number of megabytes or gigabytes. */
const Size = view(function Size({ state, of, label }: SizeProps) {
  const draft = state.draft.value
  const isWrong = state.problems.value[`${of}Size`]
  const units = (Object.keys(sizeUnits) as SizeUnit[]).map((value) => ({
    value,
    label: t(`size.${value}` as Key, { number: '' }).trim(),
  }))
  return (
    <Field
      label={label}
      error={isWrong ? t('requests.sizeProblem') : undefined}
      inputMode="decimal"
      autoComplete="off"
      value={draft[`${of}Size`]}
      onChange={(event) => state.change({ [`${of}Size`]: event.target.value } as Partial<RequestDraft>)}
      beside={
        <Choice
          aria-label={t('requests.sizeUnit')}
          value={draft[`${of}Unit`]}
          options={units}
          onValue={(unit) => state.change({ [`${of}Unit`]: unit } as Partial<RequestDraft>)}
        />
      }
    />
  )
})

const Count = view(function Count({ state, name }: { state: RequestLinks; name: 'mostFiles' | 'filesAnHour' }) {
  const isWrong = state.problems.value[name]
  return (
    <Field
      label={t(`requests.${name}`)}
      error={isWrong ? t('requests.countProblem', { most: formatNumber(mostFilesEver) }) : undefined}
      inputMode="numeric"
      autoComplete="off"
      value={state.draft.value[name]}
      onChange={(event) => state.change({ [name]: event.target.value })}
    />
  )
})
