import { useEffect, useState } from 'react'
import { HttpFailure } from '../api/http.ts'
import { failureReason } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { useSlice } from '../core/use-workspace.ts'
import { formatPercent } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Field, FieldError } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Meter } from '../ui/meter.tsx'
import { view } from '../ui/view.tsx'
import { type Algorithm, algorithms, Checksums } from './checksums.ts'
import { CopyButton } from './copy-button.tsx'

/** The checksums of a file: each is computed when it is asked for, and can be compared with one from elsewhere. */
export const InfoChecksums = view(function InfoChecksums({ path }: { path: string }) {
  const notices = useSlice(noticesSlice)
  const [checksums] = useState(() => new Checksums(path))
  useEffect(() => () => checksums.cancelAll(), [checksums])
  const compute = async (algorithm: Algorithm, label: string) => {
    await checksums.compute(algorithm)
    const state = checksums.state(algorithm).peek()
    if (state.kind === 'done') notices.announce(t('prompts.info.sumDone', { label }))
    if (state.kind === 'failed') notices.fail(t('prompts.info.sumFailed', { label }), reasonOf(state.failure))
  }
  return (
    <>
      <dl className="facts facts-line facts-sums">
        {algorithms.map(({ name, label }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd className="sum">
              <Sum checksums={checksums} algorithm={name} label={label} onCompute={() => void compute(name, label)} />
            </dd>
          </div>
        ))}
      </dl>
      <Compare checksums={checksums} />
    </>
  )
})

type SumProps = { checksums: Checksums; algorithm: Algorithm; label: string; onCompute: () => void }

const Sum = view(function Sum({ checksums, algorithm, label, onCompute }: SumProps) {
  const { value: state } = checksums.state(algorithm)
  if (state.kind === 'done') return <Done label={label} sum={state.sum} />
  if (state.kind === 'running')
    return (
      <>
        <Meter {...(state.percent !== undefined && { value: state.percent })} label={label} />
        {state.percent !== undefined && <span className="sum-value">{formatPercent(state.percent / 100)}</span>}
        <IconButton
          icon="x"
          small
          smallIcon
          label={t('prompts.info.cancelSum', { label })}
          onClick={() => checksums.cancel(algorithm)}
        />
      </>
    )
  return (
    <span className="sum-none">
      {state.kind === 'failed' && <FieldError text={reasonOf(state.failure)} />}
      <button
        type="button"
        className="text-link"
        aria-label={t(state.kind === 'failed' ? 'prompts.info.recomputeSum' : 'prompts.info.computeSum', { label })}
        onClick={onCompute}
      >
        {t(state.kind === 'failed' ? 'action.retry' : 'prompts.info.compute')}
      </button>
    </span>
  )
})

function Done({ label, sum }: { label: string; sum: string }) {
  return (
    <>
      <span className="code" dir="ltr">
        {sum}
      </span>
      <CopyButton
        text={sum}
        label={t('prompts.info.copySum', { label })}
        copied={t('prompts.info.sumCopied', { label })}
        failed={t('prompts.info.copyFailed')}
      />
    </>
  )
}

const Compare = view(function Compare({ checksums }: { checksums: Checksums }) {
  const { value: comparison } = checksums.comparison
  const error =
    comparison.kind === 'unknown'
      ? t('prompts.info.notASum')
      : comparison.kind === 'different'
        ? t('prompts.info.different', { label: labelOf(comparison.algorithm) })
        : undefined
  return (
    <div className="compare">
      <Field
        label={t('prompts.info.compareWith')}
        className="code"
        dir="ltr"
        value={checksums.expected.value}
        placeholder={t('prompts.info.comparePlaceholder')}
        autoComplete="off"
        spellCheck={false}
        error={error}
        onChange={(event) => void checksums.compareWith(event.target.value)}
      />
      <p className="compare-same" role="status">
        {comparison.kind === 'same' && (
          <>
            <Icon name="circle-check" small />
            <span>{t('prompts.info.same', { label: labelOf(comparison.algorithm) })}</span>
          </>
        )}
      </p>
    </div>
  )
})

const labelOf = (algorithm: Algorithm) => algorithms.find(({ name }) => name === algorithm)?.label ?? ''

/** The only conflict of a checksum is a file that changes meanwhile. */
function reasonOf(failure: unknown): string {
  const hasChanged = failure instanceof HttpFailure && failure.status === 409
  return hasChanged ? t('prompts.info.changed') : failureReason(failure)
}
