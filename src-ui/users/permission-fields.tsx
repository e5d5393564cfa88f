import type { User } from '../../src-server/contract/users.ts'
import { t } from '../i18n/t.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { view } from '../ui/view.tsx'
import { permissions, withAdministrator } from './user-draft.ts'

type Permitted = { perm: User['perm']; lockPassword?: boolean; commands: string }

type Props<T extends Permitted> = {
  draft: T
  onDraft: (draft: T) => void
  commandsProblem?: string | undefined
  /** Says what an administrator is. */
  explains?: boolean
}

/** The permissions of a user, and the commands that need one of them. */
export const PermissionFields = view(function PermissionFields<T extends Permitted>(props: Props<T>) {
  const { draft, onDraft, commandsProblem, explains = false } = props
  const { perm } = draft
  return (
    <>
      <Checkbox
        label={t('users.admin')}
        hint={explains ? t('users.adminHint') : undefined}
        isOn={perm.admin}
        onChange={(admin) => onDraft(withAdministrator(draft, admin))}
      />
      <fieldset className="permissions">
        <legend className="visually-hidden">{t('users.permissions')}</legend>
        {permissions.map((permission) => (
          <Checkbox
            key={permission}
            label={t(`users.perm.${permission}`)}
            isOn={perm[permission]}
            disabled={perm.admin}
            onChange={(isOn) => onDraft({ ...draft, perm: { ...perm, [permission]: isOn } })}
          />
        ))}
      </fieldset>
      <Field
        label={t('users.commands')}
        hint={t(perm.execute ? 'users.commandsHint' : 'users.commandsNeed', { permission: t('users.perm.execute') })}
        error={commandsProblem}
        className="input-code"
        dir="ltr"
        value={draft.commands}
        disabled={!perm.execute}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onDraft({ ...draft, commands: event.target.value })}
      />
    </>
  )
}) as <T extends Permitted>(props: Props<T>) => React.ReactNode
