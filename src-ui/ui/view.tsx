import { useSignals } from '@preact/signals-react/runtime'
import type { FC } from 'react'

/**
 * Makes a component render again when a signal that it read changes, as the Babel transform of @preact/signals-react would. A
 * component without it keeps showing the first value.
 */
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
