import { useId } from 'react'
import type { ExpiryUnit } from '../../src-server/contract/shares.ts'
import { formatDate, formatNumber } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { FieldError } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { type Ending, endOf, largestNumber, unitLengths } from './new-link.ts'

const units = Object.keys(unitLengths) as ExpiryUnit[]

/** The form that they are in. */
type ExpiryState = Readonly<{
  draft: { readonly value: Ending }
  problems: { readonly value: Readonly<{ count?: boolean }> }
  mayBePermanent: boolean
  change(changes: Partial<Ending>): void
}>

/** When a new link ends: after a time, or never. */
export const ExpiryFields = view(function ExpiryFields({ state }: { state: ExpiryState }) {
  const id = useId()
  const { isPermanent, count, unit } = state.draft.value
  const isWrong = state.problems.value.count ?? false
  const end = endOf(state.draft.value)
  const { mayBePermanent } = state
  return (
    <fieldset className="link-ends">
      <legend className="field-label">{t('shares.ends')}</legend>
      <div className="link-ends-line">
        <label className="choice">
          <input
            className="check check-round"
            type="radio"
            name={`${id}-ends`}
            checked={!isPermanent}
            onChange={() => state.change({ isPermanent: false })}
          />
          <span>{t('shares.after')}</span>
        </label>
        <span className="link-ends-fields">
          <input
            className="input"
            inputMode="numeric"
            autoComplete="off"
            aria-label={t('shares.endsAfter')}
            aria-invalid={isWrong || undefined}
            aria-describedby={isWrong ? `${id}-error` : end ? `${id}-end` : undefined}
            value={count}
            disabled={isPermanent}
            onChange={(event) => state.change({ count: event.target.value })}
          />
          <span className="select">
            <select
              className="input"
              aria-label={t('shares.unit')}
              value={unit}
              disabled={isPermanent}
              onChange={(event) => state.change({ unit: event.target.value as ExpiryUnit })}
            >
              {units.map((one) => (
                <option key={one} value={one}>
                  {t(`shares.units.${one}`, { count: Number(count) || 0 })}
                </option>
              ))}
            </select>
            <Icon name="chevron-down" small />
          </span>
        </span>
        {end && (
          <span className="field-hint" id={`${id}-end`}>
            {t('shares.endsOnHint', { date: formatDate(end) })}
          </span>
        )}
      </div>
      {isWrong && <FieldError id={`${id}-error`} text={t('shares.mostProblem', { most: formatNumber(largestNumber) })} />}
      <label className="choice" data-disabled={!mayBePermanent || undefined}>
        <input
          className="check check-round"
          type="radio"
          name={`${id}-ends`}
          checked={isPermanent}
          disabled={!mayBePermanent}
          aria-labelledby={`${id}-never`}
          aria-describedby={`${id}-never-hint`}
          onChange={() => state.change({ isPermanent: true })}
        />
        <span className="checkbox-text">
          <span id={`${id}-never`}>{t('shares.never')}</span>
          <span className="field-hint" id={`${id}-never-hint`}>
            {t(mayBePermanent ? 'shares.neverHint' : 'shares.neverExists')}
          </span>
        </span>
      </label>
    </fieldset>
  )
})
