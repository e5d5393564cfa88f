import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'

/** A field with two values as texts. */
export type Difference = { label: string; mine: string; theirs: string }

/** The fields that have two values, each with both. */
export const Differences = view(function Differences({ differences }: { differences: readonly Difference[] }) {
  return (
    <dl className="differences">
      {differences
        .filter(({ mine, theirs }) => mine !== theirs)
        .map(({ label, mine, theirs }) => (
          <div key={label} className="difference">
            <dt>{label}</dt>
            <Value label={t('settings.global.mine')} text={mine} />
            <Value label={t('settings.global.theirs')} text={theirs} />
          </div>
        ))}
    </dl>
  )
})

function Value({ label, text }: { label: string; text: string }) {
  return (
    <dd>
      <small>{label}</small>
      <span className="difference-text" dir="auto">
        {text || t('settings.global.nothing')}
      </span>
    </dd>
  )
}

/** A choice as a text. */
export const yesOrNo = (isOn: boolean): string => t(isOn ? 'settings.global.on' : 'settings.global.off')
