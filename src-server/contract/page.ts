import { type Static, Type } from 'typebox'

/** The configuration of the page: JSON in a script element with the id `holdall-config`, which browsers do not run. */
export const PageConfig = Type.Object({
  Name: Type.String(),
  DisableExternal: Type.Boolean(),
  /** Whether the space of the disk is not shown. */
  DisableUsedPercentage: Type.Boolean(),
  /** '' or '/prefix', without a trailing slash. */
  BaseURL: Type.String(),
  StaticURL: Type.String(),
  ReCaptcha: Type.Boolean(),
  ReCaptchaKey: Type.String(),
  /** Scheme and host; '' on all pages but that of the sign-in, whose policy alone allows it. */
  ReCaptchaHost: Type.String(),
  Signup: Type.Boolean(),
  Version: Type.String(),
  NoAuth: Type.Boolean(),
  AuthMethod: Type.Union([Type.Literal('json'), Type.Literal('noauth'), Type.Literal('proxy')]),
  /** Whether people sign in with name and password. False with noauth and proxy: the page signs in with empty credentials. */
  LoginPage: Type.Boolean(),
  /** '' follows the system; 'dark' is always dark. */
  Theme: Type.String(),
  EnableThumbs: Type.Boolean(),
  ResizePreview: Type.Boolean(),
  /** Whether the server was started with --enable-exec. */
  EnableExec: Type.Boolean(),
  /** The fewest characters of a new password of a link. */
  LinkPasswordLength: Type.Integer(),
  /** The translations: language code → address below StaticURL. */
  Locales: Type.Record(Type.String(), Type.String()),
  /** Addresses about the product, as far as there are any. With external links disabled, the documentation alone. */
  Links: Type.Optional(
    Type.Object({
      Home: Type.Optional(Type.String()),
      Report: Type.Optional(Type.String()),
      Documentation: Type.Optional(Type.String()),
    }),
  ),
})
export type PageConfig = Static<typeof PageConfig>
