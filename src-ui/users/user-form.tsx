import { t } from '../i18n/t.ts'
import { Section } from '../ui/card.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { view } from '../ui/view.tsx'
import { languageOptions } from './languages.ts'
import { NewPassword } from './new-password.tsx'
import { PermissionFields } from './permission-fields.tsx'
import type { FieldProblems } from './problems.ts'
import { RuleTrial } from './rule-trial.tsx'
import { RulesEditor } from './rules-editor.tsx'
import { ScopeField } from './scope-field.tsx'
import type { UserDraft } from './user-draft.ts'

type Props = {
  draft: UserDraft
  onDraft: (draft: UserDraft) => void
  isNew: boolean
  /** Whether a folder can be chosen for the scope. */
  mayChoose: boolean
  problems: FieldProblems
}

/** The form about one user. */
export const UserForm = view(function UserForm({ draft, onDraft, isNew, mayChoose, problems }: Props) {
  const set = (changed: Partial<UserDraft>) => onDraft({ ...draft, ...changed })
  return (
    <>
      <Section title={t('users.account')} text={isNew ? t('users.accountText') : undefined}>
        <Field
          label={t('login.username')}
          name="username"
          value={draft.username}
          error={problems.username}
          dir="auto"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={isNew}
          onChange={(event) => set({ username: event.target.value })}
        />
        <NewPassword
          label={t('login.password')}
          value={draft.password}
          username={draft.username}
          placeholder={isNew ? undefined : t('users.passwordKept')}
          error={problems.password}
          onValue={(password) => set({ password })}
        />
        <ScopeField value={draft.scope} mayChoose={mayChoose} error={problems.scope} onValue={(scope) => set({ scope })} />
        <Select
          label={t('settings.language.title')}
          value={draft.locale}
          options={languageOptions()}
          onValue={(locale) => set({ locale })}
        />
        <Checkbox
          label={t('users.lockPassword')}
          hint={t(draft.perm.admin ? 'users.lockPasswordAdmin' : 'users.lockPasswordHint')}
          isOn={draft.lockPassword}
          disabled={draft.perm.admin}
          onChange={(lockPassword) => set({ lockPassword })}
        />
      </Section>
      <Section title={t('users.permissions')} text={isNew ? t('users.permissionsText') : undefined}>
        <PermissionFields draft={draft} onDraft={onDraft} commandsProblem={problems.commands} explains />
      </Section>
      <Section title={t('users.rules.title')} text={t('users.rules.textOfUser')} wide>
        <RulesEditor rules={draft.rules} problem={problems.rule} onRules={(rules) => set({ rules })} />
        <RuleTrial own={draft.rules} />
      </Section>
    </>
  )
})
