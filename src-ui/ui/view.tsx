import { useSignals } from '@preact/signals-react/runtime'
import type { FC } from 'react'

/** A component that is drawn again whenever a signal that it read has changed. Without it a component shows its first value for ever. */
export function view<P extends object>(Component: FC<P>): FC<P> {
  function View(props: P) {
    const tracking = useSignals(1)
    try {
      return Component(props)
    } finally {
      tracking.f()
    }
  }
  View.displayName = Component.name
  return View
}
