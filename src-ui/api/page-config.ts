import type { PageConfig } from '../../src-server/contract/page.ts'

export type { PageConfig }

const fallback: PageConfig = {
  Name: 'Holdall',
  DisableExternal: false,
  BaseURL: '',
  StaticURL: '/static',
  ReCaptcha: false,
  ReCaptchaKey: '',
  Signup: false,
  Version: '',
  NoAuth: false,
  AuthMethod: 'json',
  LoginPage: true,
  Theme: '',
  EnableThumbs: false,
  ResizePreview: false,
  Locales: {},
}

/** What the server wrote into the page. */
export const pageConfig: PageConfig = readPageConfig(typeof document === 'undefined' ? undefined : document)

/** Below which address everything lies: '' or '/prefix', never with a slash at its end. */
export const baseURL = pageConfig.BaseURL

/** What stands in the page's inert script element, over values that suit a page without one. */
export function readPageConfig(page: Pick<Document, 'getElementById'> | undefined): PageConfig {
  const text = page?.getElementById('holdall-config')?.textContent
  return { ...fallback, ...(text ? (JSON.parse(text) as Partial<PageConfig>) : {}) }
}
