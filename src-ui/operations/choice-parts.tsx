import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import type { Choice } from './conflicts.ts'

/** The checkbox that applies an answer to all remaining conflicts. */
export function ForRest({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label className="choice">
      <input className="check" type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  )
}

type ChoiceProps = {
  onAnswer: (choice: Choice) => void
  mayReplace: boolean
  /** Folders are not replaced: they are merged. */
  isMerge?: boolean
}

/** Skip, replace or keep both. The last has the focus, because it loses nothing. */
export function ChoiceButtons({ onAnswer, mayReplace, isMerge = false }: ChoiceProps) {
  const replace = t(isMerge ? 'prompts.taken.mergeThem' : 'prompts.replace.replace')
  return (
    <>
      <Button kind="quiet" label={t('prompts.replace.skip')} onClick={() => onAnswer('skip')} />
      <span className="grow" />
      {mayReplace && <Button label={replace} onClick={() => onAnswer('replace')} />}
      <Button kind="primary" data-first-focus label={t('prompts.replace.keepBoth')} onClick={() => onAnswer('keepBoth')} />
    </>
  )
}

/** A note above the question. */
export function Note({ icon, text }: { icon: IconName; text: string }) {
  return (
    <p className="notice">
      <Icon name={icon} />
      <span>{text}</span>
    </p>
  )
}
