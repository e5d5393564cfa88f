/** `Report.tar.gz` → `Report`, `.tar.gz`. What is too long to be an ending, and a leading dot, belong to the stem. */
export function splitEnding(name: string): [stem: string, ending: string] {
  const found = /^(?<stem>.*?[^.])(?<ending>(?:\.tar)?\.[^.\s/]{1,8})$/su.exec(name)?.groups
  return found ? [found.stem ?? '', found.ending ?? ''] : [name, '']
}
