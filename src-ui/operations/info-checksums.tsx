import { useEffect, useState } from 'react'
import { HttpFailure } from '../api/http.ts'
import { failureReason } from '../core/failure-reason.ts'
import { formatPercent } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { view } from '../ui/view.tsx'
import { type Algorithm, algorithms, Checksums } from './checksums.ts'
import { CopyButton } from './copy-button.tsx'
import { OnDemandRow } from './on-demand-row.tsx'

/** The checksums of a file: each is computed when it is asked for, and can be compared with one from elsewhere. */
export const InfoChecksums = view(function InfoChecksums({ path }: { path: string }) {
  const [checksums] = useState(() => new Checksums(path))
  useEffect(() => () => checksums.stop(), [checksums])
  return (
    <>
      <dl className="facts facts-line facts-sums">
        {algorithms.map(({ name, label }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd className="sum">
              <OnDemandRow
                demand={checksums.all[name]}
                ask={t('prompts.info.compute')}
                labels={{ ask: t('prompts.info.computeSum', { label }), again: t('prompts.info.recomputeSum', { label }) }}
                running={(percent) => <Computing label={label} percent={percent} onStop={() => checksums.all[name].stop()} />}
                done={(sum) => <Done label={label} sum={sum} />}
                announced={() => t('prompts.info.sumDone', { label })}
                reason={reasonOf}
                failed={t('prompts.info.sumFailed', { label })}
              />
            </dd>
          </div>
        ))}
      </dl>
      <Compare checksums={checksums} />
    </>
  )
})

type ComputingProps = { label: string; percent: number | undefined; onStop: () => void }

function Computing({ label, percent, onStop }: ComputingProps) {
  return (
    <>
      <ProgressBar {...(percent !== undefined && { value: percent })} label={label} />
      {percent !== undefined && <span className="sum-value">{formatPercent(percent / 100)}</span>}
      <IconButton icon="x" small smallIcon label={t('prompts.info.cancelSum', { label })} onClick={onStop} />
    </>
  )
}

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
    <div>
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
