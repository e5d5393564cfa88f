// What the lazy part of the preview brings.
import 'holdall:icons/later'
import 'holdall:words/later'

export { QuickLook } from './quick-look.tsx'
export { TrashedLook } from './trashed-look.tsx'
export { Viewer } from './viewer.tsx'
