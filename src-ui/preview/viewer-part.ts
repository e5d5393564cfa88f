// What the lazy part of the preview brings.
import '../ui/more-icons.ts'
import '../i18n/more-words.ts'

export { QuickLook } from './quick-look.tsx'
export { Viewer } from './viewer.tsx'
