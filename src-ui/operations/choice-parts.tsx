import { useEffect, useRef } from 'react'
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
  /** The answer that loses nothing and doubles nothing: it is the main button and has the focus. */
  best?: 'skip' | 'keepBoth'
}

const main = { kind: 'primary', 'data-first-focus': true } as const

/** Skip, replace or keep both. */
export function ChoiceButtons({ onAnswer, mayReplace, isMerge = false, best = 'keepBoth' }: ChoiceProps) {
  const middle = useFocusOn(best)
  const replace = t(isMerge ? 'prompts.taken.mergeThem' : 'prompts.replace.replace')
  const skip = best === 'skip' ? main : ({ kind: 'quiet' } as const)
  return (
    <>
      <Button {...skip} label={t('prompts.replace.skip')} onClick={() => onAnswer('skip')} />
      <span ref={middle} className="grow" />
      {mayReplace && <Button label={replace} onClick={() => onAnswer('replace')} />}
      <Button {...(best === 'keepBoth' && main)} label={t('prompts.replace.keepBoth')} onClick={() => onAnswer('keepBoth')} />
    </>
  )
}

/** When another answer becomes the best, as what exists is known late: the focus follows, unless the person has moved it. */
function useFocusOn(best: string) {
  const middle = useRef<HTMLSpanElement>(null)
  const last = useRef(best)
  useEffect(() => {
    if (last.current === best) return
    last.current = best
    const foot = middle.current?.parentElement
    const isOnEither = [foot?.firstElementChild, foot?.lastElementChild].includes(document.activeElement)
    if (isOnEither) foot?.querySelector<HTMLElement>('[data-first-focus]')?.focus()
  }, [best])
  return middle
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
