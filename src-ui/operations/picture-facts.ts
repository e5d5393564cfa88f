import type { Description } from '../../src-server/contract/previews.ts'
import { call } from '../api/http.ts'
import { OnDemand } from './on-demand.ts'

/** The flag that asks for what a picture may say about itself. */
const queries = { resolution: { metadata: 'true' }, camera: { camera: 'true' }, place: { place: 'true' } } as const

/** Undefined when the picture does not say it, or cannot be decoded. */
export type PictureFact<F extends keyof Description> = OnDemand<Description[F] | undefined>

/**
 * What one picture says about itself, each read by the server when it is asked for: a place is private, and stays in the file until
 * then.
 * @param path of the picture, decoded
 */
export function pictureFacts(path: string) {
  const fact = <F extends keyof Description>(name: F): PictureFact<F> =>
    new OnDemand(async (signal) => {
      const query = { ...queries[name], content: 'false' }
      const described: Description = await call('GET /api/resources/*', { path, query, signal })
      return described[name]
    })
  return { resolution: fact('resolution'), camera: fact('camera'), place: fact('place') }
}
