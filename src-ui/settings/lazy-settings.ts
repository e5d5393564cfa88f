import style from 'holdall:part/settings/settings.css'
import { lazyScreen } from '../core/lazy.tsx'

/** The screens of the settings, which the first page does not need. */
export const LazySettings = lazyScreen(async () => (await import('./settings-screen.tsx')).SettingsScreen, [style])
