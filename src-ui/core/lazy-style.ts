/** Loads the style sheet of a lazy part. @param address relative to the scripts @throws Error when it cannot be loaded */
export function loadStyle(address: string): Promise<void> {
  const { href } = new URL(address, import.meta.url)
  if (document.querySelector(`link[href="${CSS.escape(href)}"]`)) return Promise.resolve()
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  return new Promise((resolve, reject) => {
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error(`${href} could not be loaded`))
    }
    document.head.append(link)
  })
}
