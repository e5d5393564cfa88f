import { isBlocked } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { childOf, nameOf, type Path, parentOf } from '../base/paths.ts'
import { extensionOf } from './kinds.ts'
import { entryAt, type FileContext } from './walk.ts'

/** Bytes that a file system takes for one name. */
const longestName = 255

/**
 * The first of `name(1).ext`, `name(2).ext` … that is free beside `path`. What follows the last dot is the extension:
 * `a.tar(1).gz`, `(1).bashrc`, and folders alike.
 */
export async function freeNameFor(context: FileContext, path: Path): Promise<Path> {
  for (let number = 1; ; number++) {
    const candidate = childOf(parentOf(path), numbered(nameOf(path), number))
    // A name that rules hide may be taken: it is not asked, so that nothing about it leaks.
    if (!isBlocked(context.principal, candidate) && !(await entryAt(context, candidate))) return candidate
  }
}

/** The name that something was to get has been taken since it was found to be free; nothing was changed. */
export class NameTaken extends Failure {
  constructor(cause: unknown) {
    super('conflict', 'the name is taken', { cause })
  }
}

/** Does the first change of a transfer, the one that takes its name. @throws NameTaken when another has taken it meanwhile */
export async function takingName<T>(context: FileContext, path: Path, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isConflict = error instanceof Failure && error.code === 'conflict'
    // Other things than a taken name are conflicts as well: a source in use, a spelling that is taken.
    if (isConflict && (await entryAt(context, path))) throw new NameTaken(error)
    throw error
  }
}

/** `name(number).ext`; the stem gives way where the name would grow past 255 bytes. */
export function numbered(name: string, number: number): string {
  const extension = extensionOf(name)
  const stem = name.slice(0, name.length - extension.length)
  const tail = `(${number})${extension}`
  const room = longestName - Buffer.byteLength(tail)
  // An extension that leaves no room is none: the end of such a name gives way instead.
  if (room < 0) return `${shortened(name, longestName - `(${number})`.length)}(${number})`
  return shortened(stem, room) + tail
}

/** The longest beginning that fits, in whole characters. */
function shortened(text: string, bytes: number) {
  let kept = ''
  let size = 0
  for (const character of text) {
    size += Buffer.byteLength(character)
    if (size > bytes) break
    kept += character
  }
  return kept
}
