import { type Key, t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { type Strength, shortestPassword, strengthOf } from './strength.ts'

const names: Record<number, Key> = {
  1: 'users.strength.weak',
  2: 'users.strength.fair',
  3: 'users.strength.good',
  4: 'users.strength.strong',
}

const texts: Record<Strength['why'], Key | undefined> = {
  empty: undefined,
  short: 'users.strength.short',
  name: 'users.strength.name',
  same: 'users.strength.same',
  length: 'users.strength.length',
}

const bars = [1, 2, 3, 4] as const

/** How hard a new password is to guess, as bars and words; nothing while none is typed. */
export const StrengthMeter = view(function StrengthMeter({ password, username }: { password: string; username: string }) {
  const { score, why } = strengthOf(password, username)
  const name = names[score]
  const count = why === 'short' ? shortestPassword : [...password].length
  const text = texts[why]
  if (!name || !text) return null
  return (
    <>
      {/* The words below say the same. */}
      <span className="strength" data-score={score} aria-hidden="true">
        {bars.map((bar) => (
          <span key={bar} />
        ))}
      </span>
      <span className="strength-line">
        <strong>{t(name)}</strong>
        <span>{t(text, { count })}</span>
      </span>
    </>
  )
})
