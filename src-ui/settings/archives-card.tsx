import { t } from '../i18n/t.ts'
import { Card, Section } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { view } from '../ui/view.tsx'
import { CardFoot } from './card-foot.tsx'
import { archives, type Loaded } from './global-settings.ts'
import { useGlobalCard } from './use-global-card.ts'

const pairs = [
  [
    { name: 'gigabytes', label: 'settings.archives.gigabytes', hint: 'settings.archives.gigabytesHint' },
    { name: 'ratio', label: 'settings.archives.ratio', hint: 'settings.archives.ratioHint' },
  ],
  [
    { name: 'entries', label: 'settings.archives.entries', hint: 'settings.archives.entriesHint' },
    { name: 'spare', label: 'settings.archives.spare', hint: 'settings.archives.spareHint' },
  ],
] as const
const numbers = pairs.flat()
const names = numbers.map(({ name }) => `archives.${name}`)

/** How much an archive may hold that is extracted. */
export const ArchivesCard = view(function ArchivesCard({ loaded }: { loaded: Loaded }) {
  const card = useGlobalCard(archives, loaded, { names, done: () => t('settings.archives.updated') })
  const { draft, setDraft, problems } = card
  const title = t('settings.archives.title')
  const theirs = card.theirs && archives.toDraft(card.theirs)
  const differences = theirs
    ? numbers.map(({ name, label }) => ({ label: t(label), mine: draft[name], theirs: theirs[name] }))
    : []
  return (
    <Card label={title} onSubmit={() => void card.save()}>
      <Section title={title} text={t('settings.archives.text')}>
        {pairs.map((pair) => (
          <div className="pair" key={pair[0].name}>
            {pair.map(({ name, label, hint }) => (
              <Field
                key={name}
                label={t(label)}
                hint={t(hint)}
                inputMode="numeric"
                autoComplete="off"
                value={draft[name]}
                error={problems.fields[`archives.${name}`]}
                onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
              />
            ))}
          </div>
        ))}
        <CardFoot card={card} differences={differences} />
      </Section>
    </Card>
  )
})
