import type { PageConfig } from '../../src-server/contract/page.ts'

export type { PageConfig }

const fallback: PageConfig = {
  Name: 'Holdall',
  DisableExternal: false,
  DisableUsedPercentage: false,
  BaseURL: '',
  StaticURL: '/static',
  ReCaptcha: false,
  ReCaptchaKey: '',
  ReCaptchaHost: '',
  Signup: false,
  Version: '',
  NoAuth: false,
  AuthMethod: 'json',
  LoginPage: true,
  Theme: '',
  EnableThumbs: false,
  ResizePreview: false,
  EnableExec: false,
  LinkPasswordLength: 8,
  Locales: {},
}

/** The configuration that the server wrote into the page. */
export const pageConfig: PageConfig = readPageConfig(typeof document === 'undefined' ? undefined : document)

/** The base URL of all addresses: '' or '/prefix', without a trailing slash. */
export const baseURL = pageConfig.BaseURL

/** Reads the configuration from the page's script element. Missing values get defaults. */
export function readPageConfig(page: Pick<Document, 'getElementById'> | undefined): PageConfig {
  const text = page?.getElementById('holdall-config')?.textContent
  return { ...fallback, ...(text ? (JSON.parse(text) as Partial<PageConfig>) : {}) }
}
