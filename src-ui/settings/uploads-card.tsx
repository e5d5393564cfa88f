import { t } from '../i18n/t.ts'
import { Card, Section } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { view } from '../ui/view.tsx'
import { CardFoot } from './card-foot.tsx'
import { type Loaded, uploads } from './global-settings.ts'
import { useGlobalCard } from './use-global-card.ts'

const names = ['uploads.days']

/** For how long uploads are kept that broke off. */
export const UploadsCard = view(function UploadsCard({ loaded }: { loaded: Loaded }) {
  const card = useGlobalCard(uploads, loaded, { names, done: () => t('settings.uploads.updated') })
  const { draft, setDraft, problems } = card
  const title = t('uploads.unfinished')
  const label = t('settings.uploads.days')
  const theirs = card.theirs && uploads.toDraft(card.theirs)
  return (
    <Card label={title} onSubmit={() => void card.save()}>
      <Section title={title} text={t('settings.uploads.text')}>
        <Field
          label={label}
          hint={t('settings.uploads.daysHint')}
          inputMode="numeric"
          autoComplete="off"
          value={draft.days}
          error={problems.fields['uploads.days']}
          onChange={(event) => setDraft({ ...draft, days: event.target.value })}
        />
        <CardFoot card={card} differences={theirs ? [{ label, mine: draft.days, theirs: theirs.days }] : []} />
      </Section>
    </Card>
  )
})
