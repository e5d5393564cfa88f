import { baseURL } from '../api/page-config.ts'
import { t } from '../i18n/t.ts'
import { Card, Section } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'
import { view } from '../ui/view.tsx'

/** The way to one's own public links. */
export const SharesCard = view(function SharesCard() {
  const title = t('shares.own')
  return (
    <Card label={title}>
      <Section title={title} text={t('shares.ownText')}>
        <div className="form-foot">
          <a className="button" href={`${baseURL}/settings/shares`}>
            <Icon name="link" />
            <span className="label">{t('shares.manage')}</span>
          </a>
        </div>
      </Section>
    </Card>
  )
})
