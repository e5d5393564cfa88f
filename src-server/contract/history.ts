// What the person did, and taking it back.
import { type Static, Type } from 'typebox'

/** What a person did. `rename` stays in its folder, `move` does not; `save` replaces the content of a file. */
export const ActKind = Type.Union([
  Type.Literal('upload'),
  Type.Literal('newFolder'),
  Type.Literal('save'),
  Type.Literal('copy'),
  Type.Literal('rename'),
  Type.Literal('move'),
  Type.Literal('delete'),
  Type.Literal('restore'),
])
export type ActKind = Static<typeof ActKind>

/** `partly`: some of its changes were taken back. */
export const ActState = Type.Union([Type.Literal('done'), Type.Literal('undone'), Type.Literal('partly')])
export type ActState = Static<typeof ActState>
