/** Lets the browser download what is at an address: clicks a hidden link, which the session cookie authorizes. */
export function startDownload(address: string): void {
  const link = document.createElement('a')
  link.href = address
  // Empty: the server names the file. Without the attribute the browser would open the address as a page.
  link.download = ''
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}
