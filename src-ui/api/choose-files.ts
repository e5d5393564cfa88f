/** Asks for files in the system's own dialog, or with `folder` for a folder and all that is in it. Nothing when it is closed. */
export function chooseFiles({ folder = false } = {}): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    input.webkitdirectory = folder
    input.hidden = true
    const settle = () => {
      input.remove()
      resolve([...(input.files ?? [])])
    }
    input.addEventListener('change', settle)
    input.addEventListener('cancel', settle)
    // Safari forgets an input that stands nowhere.
    document.body.append(input)
    input.click()
  })
}
