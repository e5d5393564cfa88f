import { version } from '../base/version.ts'
import type { PageConfig } from '../contract/page.ts'
import type { Options } from '../options/options.ts'
import type { Assets } from './assets.ts'

/** The stored settings that may be shown without a sign-in. */
type PublicSettings = Readonly<{
  signup: boolean
  branding: Readonly<{ name: string; disableExternal: boolean; disableUsedPercentage?: boolean; theme: string }>
}>

/** The configuration that the page contains, also without a sign-in. */
export function pageConfigFor(
  { baseURL, authMethod, thumbnails, resizePreview, enableExec }: Options,
  { signup, branding }: PublicSettings,
  assets: Assets,
): PageConfig {
  return {
    Name: branding.name || 'Holdall',
    DisableExternal: branding.disableExternal,
    DisableUsedPercentage: branding.disableUsedPercentage ?? false,
    BaseURL: baseURL,
    StaticURL: `${baseURL}/static`,
    ReCaptcha: false,
    ReCaptchaKey: '',
    Signup: signup && authMethod === 'json',
    Version: version,
    NoAuth: authMethod === 'noauth',
    AuthMethod: authMethod,
    LoginPage: authMethod === 'json',
    Theme: branding.theme,
    EnableThumbs: thumbnails,
    ResizePreview: resizePreview,
    EnableExec: enableExec,
    Locales: localesOf(assets),
  }
}

/** Language code → address: `locales/pt-br.json` in the sources is the language `pt-br`. */
function localesOf({ names }: Assets): Record<string, string> {
  const named = Object.entries(names).map(([name, address]) => [/^locales\/(.+)\.json$/.exec(name)?.[1], address] as const)
  return Object.fromEntries(named.filter(([code]) => code !== undefined))
}
