export type LookName = 'light' | 'dark' | 'forced' | 'rtl' | 'phone' | 'phone-dark' | 'phone-rtl'

export type Look = {
  name: LookName
  theme: 'light' | 'dark'
  width: number
  height: number
  touch: boolean
  mirrored: boolean
  /** The system's forced colours (high contrast). */
  forced: boolean
}

const desk = { theme: 'light', width: 1280, height: 800, touch: false, mirrored: false, forced: false } as const
const phone = { ...desk, width: 390, height: 844, touch: true } as const

/** Combinations of theme, width and reading direction. */
export const looks: readonly Look[] = [
  { ...desk, name: 'light' },
  { ...desk, name: 'dark', theme: 'dark' },
  { ...desk, name: 'forced', forced: true },
  { ...desk, name: 'rtl', mirrored: true },
  { ...phone, name: 'phone' },
  { ...phone, name: 'phone-dark', theme: 'dark' },
  { ...phone, name: 'phone-rtl', mirrored: true },
]

export const onDesk: readonly LookName[] = ['light', 'dark', 'rtl']
export const onPhone: readonly LookName[] = ['phone', 'phone-dark', 'phone-rtl']
/** For states whose right-to-left phone looks like the right-to-left wide window. */
export const almostAll: readonly LookName[] = [...onDesk, 'phone', 'phone-dark']
export const everywhere: readonly LookName[] = [...onDesk, ...onPhone]
/** Forced colours too, for states that are marked by colour. */
export const inForced = (some: readonly LookName[]): readonly LookName[] => [...some, 'forced']
