import { useLazyPart } from '../core/use-lazy-part.tsx'
import { view } from '../ui/view.tsx'
import { settingsPart } from './lazy-settings.ts'

/** The screens of the settings, loaded when the first of them is opened. */
export const SettingsHost = view(function SettingsHost() {
  const part = useLazyPart(settingsPart)
  return part.loaded ? <part.loaded.SettingsScreen /> : part.placeholder
})
