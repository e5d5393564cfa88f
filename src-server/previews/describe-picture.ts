import { resolutionOf } from './render.ts'

/** What a picture says about itself. */
export type Description = Readonly<{ resolution: { width: number; height: number } }>

/** Runs in a decoder. @throws Refused */
export async function describePicture(picture: Uint8Array): Promise<Description> {
  return { resolution: await resolutionOf(picture) }
}
