// What the lazy part of the preview brings.
export { QuickLook } from './quick-look.tsx'
export { Viewer } from './viewer.tsx'
