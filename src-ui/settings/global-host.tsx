import { useLazyPart } from '../core/use-lazy-part.tsx'
import { view } from '../ui/view.tsx'
import { globalPart } from './lazy-global.ts'

/** The settings of the server, loaded when they are first opened. */
export const GlobalHost = view(function GlobalHost() {
  const part = useLazyPart(globalPart)
  return part.loaded ? <part.loaded.GlobalScreen /> : part.placeholder
})
