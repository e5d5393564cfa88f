import { useLazyPart } from '../core/use-lazy-part.tsx'
import { view } from '../ui/view.tsx'
import { activityPart } from './lazy-activity.ts'

/** The activity, loaded when it is first opened. */
export const ActivityHost = view(function ActivityHost() {
  const part = useLazyPart(activityPart)
  return part.loaded ? <part.loaded.ActivityScreen /> : part.placeholder
})
