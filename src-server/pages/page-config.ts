import type { ProductLinks } from '../base/product-links.ts'
import { version } from '../base/version.ts'
import type { PageConfig } from '../contract/page.ts'
import type { Options } from '../options/options.ts'
import type { Assets } from './assets.ts'

/** The stored settings that may be shown without a sign-in. */
type PublicSettings = Readonly<{
  branding: Readonly<{ name: string; disableExternal: boolean; disableUsedPercentage?: boolean; theme: string }>
}>

type ConfigParts = Readonly<{
  options: Options
  settings: PublicSettings
  /** Whether people can make accounts. */
  signup: boolean
  assets: Assets
  /** Of the page, without the base URL. */
  path: string
  links: ProductLinks
}>

/** The configuration that the page contains, also without a sign-in. */
export function pageConfigFor({ options, settings: { branding }, signup, assets, path, links }: ConfigParts): PageConfig {
  const { baseURL, authMethod, thumbnails, resizePreview, enableExec } = options
  // With other methods nobody types a password.
  const captcha = authMethod === 'json' ? options.captcha : undefined
  return {
    Name: branding.name || 'Holdall',
    DisableExternal: branding.disableExternal,
    DisableUsedPercentage: branding.disableUsedPercentage ?? false,
    BaseURL: baseURL,
    StaticURL: `${baseURL}/static`,
    ReCaptcha: captcha !== undefined,
    ReCaptchaKey: captcha?.key ?? '',
    ReCaptchaHost: path === '/login' ? (captcha?.host ?? '') : '',
    Signup: signup,
    Version: version,
    NoAuth: authMethod === 'noauth',
    AuthMethod: authMethod,
    LoginPage: authMethod === 'json',
    Theme: branding.theme,
    EnableThumbs: thumbnails,
    ResizePreview: resizePreview,
    EnableExec: enableExec,
    LinkPasswordLength: options.linkPasswordLength,
    Locales: localesOf(assets),
    ...(Object.keys(links).length > 0 && { Links: linksFor(links, branding.disableExternal) }),
  }
}

function linksFor({ home, report, documentation }: ProductLinks, isDisabled: boolean): NonNullable<PageConfig['Links']> {
  return {
    ...(home !== undefined && !isDisabled && { Home: home }),
    ...(report !== undefined && !isDisabled && { Report: report }),
    ...(documentation !== undefined && { Documentation: documentation }),
  }
}

/** Language code → address: `locales/pt-br.json` in the sources is the language `pt-br`. */
function localesOf({ names }: Assets): Record<string, string> {
  const named = Object.entries(names).map(([name, address]) => [/^locales\/(.+)\.json$/.exec(name)?.[1], address] as const)
  return Object.fromEntries(named.filter(([code]) => code !== undefined))
}
