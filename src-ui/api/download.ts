/**
 * Lets the browser download what is at an address: clicks a hidden link, which the session cookie authorizes.
 * @param name of the file; the server names its own files
 */
export function startDownload(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  // Without the attribute the browser would open the address as a page.
  link.download = name
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}
