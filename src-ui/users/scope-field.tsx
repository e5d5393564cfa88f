import { overlaysSlice } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { view } from '../ui/view.tsx'

type Props = {
  value: string
  /** What the folder is for; unless given, that of one user. */
  hint?: string | undefined
  error?: string | undefined
  /** Whether the administrator's own files begin at the served root, so that the picker shows the same paths. */
  mayChoose: boolean
  onValue: (value: string) => void
}

/** The folder that all files of a user lie in: typed, or chosen. */
export const ScopeField = view(function ScopeField({ value, hint, error, mayChoose, onValue }: Props) {
  const overlays = useSlice(overlaysSlice)
  const choose = () =>
    overlays.open({ kind: 'chooseFolder', title: t('users.scopeTitle'), from: pathOf(value), onChoose: onValue })
  return (
    <Field
      label={t('users.scope')}
      hint={error ? undefined : (hint ?? t('users.scopeHint'))}
      error={error}
      className="input-code"
      dir="ltr"
      value={value}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onValue(event.target.value)}
      beside={mayChoose && <Button icon="folder" label={t('users.choose')} aria-haspopup="dialog" onClick={choose} />}
    />
  )
})

/** `./users/ann` and `users/ann` as a path from the root. */
const pathOf = (scope: string): string =>
  `/${scope
    .split('/')
    .filter((part) => part && part !== '.')
    .join('/')}`
