import { type Static, Type } from 'typebox'
import type { Endpoint } from './endpoint.ts'

export const PreviewQuery = Type.Object({
  /** `true`: to be shown in the page; otherwise the answer is an attachment. */
  inline: Type.Optional(Type.String()),
  auth: Type.Optional(Type.String()),
})

/** `thumb` is at most 512 pixels wide and high, `big` 2,048. */
export const PreviewSize = Type.Union([Type.Literal('thumb'), Type.Literal('big')], {
  description: 'the size of a preview is thumb or big',
})
export type PreviewSize = Static<typeof PreviewSize>

export const previewEndpoints = {
  'GET /api/preview/:size/*': {
    access: 'user',
    needs: ['download'],
    params: Type.Object({ size: PreviewSize }),
    query: PreviewQuery,
    cookie: true,
  },
} as const satisfies Record<string, Endpoint>
