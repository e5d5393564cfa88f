import { knownTrashSlice } from '../core/known-trash.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Card, Section } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { view } from '../ui/view.tsx'
import { CardFoot } from './card-foot.tsx'
import { yesOrNo } from './differences.tsx'
import { type Loaded, type TrashDraft, trash } from './global-settings.ts'
import { useGlobalCard } from './use-global-card.ts'

const numbers = [
  { name: 'days', label: 'settings.trash.days', hint: 'settings.trash.daysHint' },
  { name: 'percent', label: 'settings.trash.percent', hint: 'settings.trash.percentHint' },
] as const
const names = ['isOn', 'days', 'percent'].map((name) => `trash.${name}`)

/** Whether what is deleted and replaced is kept, for how long, and how much of a disk it may take. */
export const TrashCard = view(function TrashCard({ loaded }: { loaded: Loaded }) {
  const known = useSlice(knownTrashSlice)
  const card = useGlobalCard(trash, loaded, { names, done: () => t('settings.trash.updated') })
  const { draft, setDraft, problems } = card
  const title = t('title.trash')
  const save = async () => {
    await card.save()
    // The sidebar offers the trash, or no longer.
    await known.ask()
  }
  return (
    <Card label={title} onSubmit={() => void save()}>
      <Section title={title} text={t('settings.trash.text')}>
        <Checkbox label={t('settings.trash.isOn')} isOn={draft.isOn} onChange={(isOn) => setDraft({ ...draft, isOn })} />
        <div className="pair">
          {numbers.map(({ name, label, hint }) => (
            <Field
              key={name}
              label={t(label)}
              hint={t(hint)}
              inputMode="numeric"
              autoComplete="off"
              value={draft[name]}
              error={problems.fields[`trash.${name}`]}
              onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
            />
          ))}
        </div>
        <CardFoot card={card} differences={card.theirs ? differences(draft, trash.toDraft(card.theirs)) : []} />
      </Section>
    </Card>
  )
})

const differences = (mine: TrashDraft, theirs: TrashDraft) => [
  { label: t('settings.trash.isOn'), mine: yesOrNo(mine.isOn), theirs: yesOrNo(theirs.isOn) },
  ...numbers.map(({ name, label }) => ({ label: t(label), mine: mine[name], theirs: theirs[name] })),
]
