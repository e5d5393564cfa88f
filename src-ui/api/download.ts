import { rawAddress } from './addresses.ts'

/** Lets the browser download a file: clicks a hidden link, which the session cookie authorizes. */
export function startDownload(path: string): void {
  const link = document.createElement('a')
  link.href = rawAddress(path)
  // Empty: the server names the file. Without the attribute the browser would open the address as a page.
  link.download = ''
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}
