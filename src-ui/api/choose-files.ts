/** Opens the system's dialog for files, or with `folder` for a folder and all files in it. @returns [] when it is cancelled */
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
    // Safari sends no events to an input that is not in the document.
    document.body.append(input)
    input.click()
  })
}
