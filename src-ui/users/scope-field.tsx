import { useId } from 'react'
import { overlaysSlice } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { FieldError } from '../ui/field.tsx'
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
  const id = useId()
  const choose = () =>
    overlays.open({ kind: 'chooseFolder', title: t('users.scopeTitle'), from: pathOf(value), onChoose: onValue })
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {t('users.scope')}
      </label>
      <span className="field-line">
        <input
          id={id}
          className="input input-code"
          dir="ltr"
          value={value}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-${error ? 'error' : 'hint'}`}
          onChange={(event) => onValue(event.target.value)}
        />
        {mayChoose && <Button icon="folder" label={t('users.choose')} aria-haspopup="dialog" onClick={choose} />}
      </span>
      {error ? (
        <FieldError id={`${id}-error`} text={error} />
      ) : (
        <p className="field-hint" id={`${id}-hint`}>
          {hint ?? t('users.scopeHint')}
        </p>
      )}
    </div>
  )
})

/** `./users/ann` and `users/ann` as a path from the root. */
const pathOf = (scope: string): string =>
  `/${scope
    .split('/')
    .filter((part) => part && part !== '.')
    .join('/')}`
