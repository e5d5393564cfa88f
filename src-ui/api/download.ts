import { rawAddress } from './addresses.ts'

/** Saves a file in the browser's own way: a hidden link is followed, and the session's cookie opens it. */
export function startDownload(path: string): void {
  const link = document.createElement('a')
  link.href = rawAddress(path)
  // The server names the file; the empty attribute only says that this is no page to go to.
  link.download = ''
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}
