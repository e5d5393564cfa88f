import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { FieldError, useRefusedFocus } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'
import { type Difference, Differences } from './differences.tsx'
import { Update } from './update-foot.tsx'
import type { GlobalCard } from './use-global-card.ts'

type Props<D> = {
  card: GlobalCard<D>
  /** What differs between the draft and the settings of somebody else. */
  differences: readonly Difference[]
  disabled?: boolean
}

/** The end of a card: its *Update*, what the server refused, and what somebody else stored meanwhile. */
export const CardFoot = view(function CardFoot<D>({ card, differences, disabled = false }: Props<D>) {
  const { problems, theirs, isBusy } = card
  const isRefused = problems.rule !== undefined || Object.keys(problems.fields).length > 0
  const foot = useRefusedFocus<HTMLDivElement>(isRefused)
  return (
    <>
      {theirs && (
        <section className="conflict" aria-label={t('settings.global.conflict')}>
          <p className="notice" role="alert">
            <Icon name="info-circle" small />
            <span>{t('settings.global.conflict')}</span>
          </p>
          <Differences differences={differences} />
          <div className="form-foot">
            <Button kind="primary" busy={isBusy} label={t('settings.global.keepMine')} onClick={() => void card.save()} />
            <Button label={t('settings.global.takeTheirs')} onClick={card.takeTheirs} />
          </div>
        </section>
      )}
      <div className="form-foot form-end" ref={foot}>
        {!theirs && <Update isBusy={isBusy} isChanged={card.isChanged} disabled={disabled} />}
        {problems.other && <FieldError text={problems.other} />}
        {isRefused && <FieldError text={t('settings.global.refused')} />}
      </div>
    </>
  )
}) as <D>(props: Props<D>) => React.ReactNode
