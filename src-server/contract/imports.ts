// What an import from File Browser has brought: administrators see it until one of them has taken note.
import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'

/** Lines for people, in English, as the command has printed them. */
const Lines = Type.Array(Type.String())

/** What came, and what was said of it. Nothing of it is a password, or a hash of one. */
export const ImportNotice = Type.Object({
  users: Type.Integer(),
  /** Of the users, those who sign in as before. */
  passwords: Type.Integer(),
  rules: Type.Integer(),
  links: Type.Integer(),
  hasSettings: Type.Boolean(),
  /** To look at, with another meaning, and not brought. */
  look: Lines,
  changed: Lines,
  left: Lines,
  /** Lines that are not kept. */
  more: Type.Integer(),
})
export type ImportNotice = Static<typeof ImportNotice>

export const importEndpoints = {
  /** `at`: seconds since the epoch. */
  'GET /api/imports': {
    access: 'admin',
    reply: Type.Object({ notices: Type.Array(Type.Object({ at: Type.Number(), ...ImportNotice.properties })) }),
  },
  /** An administrator has taken note, for all of them. */
  'DELETE /api/imports': { access: 'admin' },
} as const satisfies Record<string, Endpoint>
