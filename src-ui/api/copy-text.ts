/**
 * Copies a text to the clipboard. Pages on plain HTTP have no clipboard API, and others may be refused: then the text is copied
 * from a text field.
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
  // Next to the focused element: a dialog moves the focus back from elements outside it.
  ;(before?.parentElement ?? document.body).append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  if (!isCopied) throw new Error('The browser refused to copy the text.')
}
