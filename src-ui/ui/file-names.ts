/** `Report.tar.gz` → `Report`, `.tar.gz`. An ending of more than 8 characters and a leading dot belong to the stem. */
export function splitEnding(name: string): [stem: string, ending: string] {
  const found = /^(?<stem>.*?[^.])(?<ending>(?:\.tar)?\.[^.\s/]{1,8})$/su.exec(name)?.groups
  return found ? [found.stem ?? '', found.ending ?? ''] : [name, '']
}

// Control characters, and marks that change the direction of what follows: `\u202egpj.exe` would look like `exe.jpg`.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const invisible = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** A name for display: characters that are invisible or change the direction are replaced by visible symbols. */
export function visibleName(name: string): string {
  return name.replace(invisible, (character) => symbolOf(character.charCodeAt(0)))
}

function symbolOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}
