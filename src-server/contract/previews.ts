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

/** Pixels, as the picture is shown: turned as its camera was held. */
export const Resolution = Type.Object({ width: Type.Integer({ minimum: 1 }), height: Type.Integer({ minimum: 1 }) })
export type Resolution = Static<typeof Resolution>

const Line = Type.Optional(Type.String({ maxLength: 100 }))
const Positive = Type.Optional(Type.Number({ exclusiveMinimum: 0 }))

/** How a photograph was taken, as far as its camera has noted it. */
export const Camera = Type.Object({
  make: Line,
  model: Line,
  lens: Line,
  /** `2026-11-19T08:31:40`, in the time of the camera's clock; with `+02:00` where the camera knows its zone. */
  taken: Line,
  /** Seconds. */
  exposure: Positive,
  /** The f-number. */
  aperture: Positive,
  /** ISO. */
  sensitivity: Positive,
  /** Millimetres. */
  focalLength: Positive,
})
export type Camera = Static<typeof Camera>

/** Where a photograph was taken. */
export const Position = Type.Object({
  /** Degrees, to the north. */
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  /** Degrees, to the east. */
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  /** Metres above the sea. */
  altitude: Type.Optional(Type.Number()),
})
export type Position = Static<typeof Position>

/** What a picture says about itself. */
export const Description = Type.Object({
  resolution: Type.Optional(Resolution),
  camera: Type.Optional(Camera),
  place: Type.Optional(Position),
})
export type Description = Static<typeof Description>

export const previewEndpoints = {
  'GET /api/preview/:size/*': {
    access: 'user',
    actions: ['download'],
    params: Type.Object({ size: PreviewSize }),
    query: PreviewQuery,
    cookie: true,
  },
} as const satisfies Record<string, Endpoint>
