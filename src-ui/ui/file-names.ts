/** `Report.tar.gz` → `Report`, `.tar.gz`. What is too long to be an ending, and a leading dot, belong to the stem. */
export function splitEnding(name: string): [stem: string, ending: string] {
  const found = /^(?<stem>.*?[^.])(?<ending>(?:\.tar)?\.[^.\s/]{1,8})$/su.exec(name)?.groups
  return found ? [found.stem ?? '', found.ending ?? ''] : [name, '']
}

// Line breaks and the like, and the marks that turn the direction of what follows: `\u202egpj.exe` would be read as `exe.jpg`.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unseen = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** A name as it is drawn: characters that have no shape, or bend that of others, stand as signs. */
export function visibleName(name: string): string {
  return name.replace(unseen, (character) => signOf(character.charCodeAt(0)))
}

function signOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}
