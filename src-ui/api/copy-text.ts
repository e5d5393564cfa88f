/**
 * Puts a text on the system's clipboard. Pages that come over plain HTTP have no access to it, and others may be refused:
 * then the text is copied out of a field.
 * @throws when the browser refuses that too
 */
export async function copyText(text: string): Promise<void> {
  const isCopied = window.isSecureContext && (await writeClipboard(text))
  if (!isCopied) copyByField(text)
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

function copyByField(text: string): void {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'visually-hidden'
  // Beside the element with the focus: a dialog takes the focus back from anything outside it.
  ;(before?.parentElement ?? document.body).append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  if (!isCopied) throw new Error('The browser did not copy it.')
}
