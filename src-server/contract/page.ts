import { type Static, Type } from 'typebox'

/** What the server writes into the page, as JSON in an inert script element with the id `holdall-config`. */
export const PageConfig = Type.Object({
  Name: Type.String(),
  DisableExternal: Type.Boolean(),
  /** '' or '/prefix': never a trailing slash. */
  BaseURL: Type.String(),
  StaticURL: Type.String(),
  ReCaptcha: Type.Boolean(),
  ReCaptchaKey: Type.String(),
  Signup: Type.Boolean(),
  Version: Type.String(),
  NoAuth: Type.Boolean(),
  AuthMethod: Type.Union([Type.Literal('json'), Type.Literal('noauth'), Type.Literal('proxy')]),
  /** Whether a person types a name and a password; false under noauth and proxy, where the page signs in with empty credentials. */
  LoginPage: Type.Boolean(),
  /** '' is light, or what the system says; 'dark' is dark. */
  Theme: Type.String(),
  EnableThumbs: Type.Boolean(),
  ResizePreview: Type.Boolean(),
  /** The languages that there are words for, by code → address below StaticURL. */
  Locales: Type.Record(Type.String(), Type.String()),
})
export type PageConfig = Static<typeof PageConfig>
