import type { User } from '../../src-server/contract/users.ts'
import { t } from '../i18n/t.ts'
import { Card, Section } from '../ui/card.tsx'
import { Select } from '../ui/select.tsx'
import { view } from '../ui/view.tsx'
import { languageOptions } from '../users/languages.ts'
import { PermissionFields } from '../users/permission-fields.tsx'
import { ScopeField } from '../users/scope-field.tsx'
import { permissions } from '../users/user-draft.ts'
import { CardFoot } from './card-foot.tsx'
import { type DefaultsDraft, type Loaded, userDefaults } from './global-settings.ts'
import { useGlobalCard } from './use-global-card.ts'

const names = ['scope', 'locale', 'perm', 'commands'].map((name) => `defaults.${name}`)

/** What new users begin with. */
export const DefaultsCard = view(function DefaultsCard({ loaded }: { loaded: Loaded }) {
  const card = useGlobalCard(userDefaults, loaded, { names, done: () => t('settings.updated') })
  const { draft, setDraft, problems } = card
  const title = t('settings.defaults.title')
  return (
    <Card label={title} onSubmit={() => void card.save()}>
      <Section title={title}>
        <ScopeField
          value={draft.scope}
          hint={t('settings.defaults.scopeHint')}
          mayChoose={loaded.mayChoose}
          error={problems.fields['defaults.scope']}
          onValue={(scope) => setDraft({ ...draft, scope })}
        />
        <Select
          label={t('settings.language.title')}
          value={draft.locale}
          options={languageOptions()}
          onValue={(locale) => setDraft({ ...draft, locale })}
        />
        <PermissionFields draft={draft} onDraft={setDraft} commandsProblem={problems.fields['defaults.commands']} />
        <CardFoot card={card} differences={card.theirs ? differences(draft, userDefaults.toDraft(card.theirs)) : []} />
      </Section>
    </Card>
  )
})

const differences = (mine: DefaultsDraft, theirs: DefaultsDraft) => [
  { label: t('users.scope'), mine: mine.scope, theirs: theirs.scope },
  { label: t('settings.language.title'), mine: languageOf(mine.locale), theirs: languageOf(theirs.locale) },
  { label: t('users.permissions'), mine: permissionsOf(mine.perm), theirs: permissionsOf(theirs.perm) },
  { label: t('users.commands'), mine: mine.commands, theirs: theirs.commands },
]

const languageOf = (code: string) => languageOptions().find(({ value }) => value === code)?.label ?? code

const permissionsOf = (perm: User['perm']) =>
  perm.admin
    ? t('users.admin')
    : permissions
        .filter((name) => perm[name])
        .map((name) => t(`users.perm.${name}`))
        .join('\n')
