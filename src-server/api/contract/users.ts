import { Type } from 'typebox'
import type { Endpoint } from '../contract.ts'
import type { OwnFields } from '../schemas/user.ts'

/** What changes of a user. What is asked for is checked by the call itself, whose refusals name what would be right. */
export const UserChange = Type.Object({
  /** `user` */
  what: Type.Optional(Type.String()),
  /** The fields of `data` that count; the others are ignored. */
  which: Type.Optional(Type.Unsafe<readonly (keyof OwnFields)[]>({})),
  data: Type.Optional(Type.Unsafe<{ id: number } & OwnFields>({})),
})

export const userEndpoints = {
  'PUT /api/users/:id': { access: 'user', body: UserChange },
} as const satisfies Record<string, Endpoint>
