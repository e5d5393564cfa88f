import { isBlocked } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { childOf, nameOf, type Path, parentOf } from '../base/paths.ts'
import { extensionOf } from './kinds.ts'
import { entryAt, type FileContext } from './walk.ts'

/** Maximal length of a name in bytes. */
const longestName = 255

/** Names that may be blocked one after the other: rules may allow a name and none with a number. */
const mostBlocked = 1000

/** Whether a name is to be skipped because rules hide it. @throws Failure('conflict') when they seem to hide all */
function blockedNames({ principal }: FileContext): (path: Path) => boolean {
  let count = 0
  return (path) => {
    if (!isBlocked(principal, path)) return false
    if (++count === mostBlocked) throw new Failure('conflict', 'the name is taken')
    return true
  }
}

/**
 * The first of `name(1).ext`, `name(2).ext` … that is free beside `path`. What follows the last dot is the extension:
 * `a.tar(1).gz`, `(1).bashrc`, and folders alike.
 * @param isChosen whether something else is about to get a name
 * @throws Failure('conflict') when rules block all such names
 */
export async function freeNameFor(context: FileContext, path: Path, isChosen = (_path: Path) => false): Promise<Path> {
  const isHidden = blockedNames(context)
  for (let number = 1; ; number++) {
    const candidate = childOf(parentOf(path), numbered(nameOf(path), number))
    // A name that rules hide may be taken: it is skipped without a call, so that nothing about it leaks.
    if (isChosen(candidate) || isHidden(candidate)) continue
    if (!(await entryAt(context, candidate))) return candidate
  }
}

/**
 * The first name that is free, of a name itself and those with numbers after it.
 * @param from the first number that is tried; 0 is the name itself @returns its path and its number @throws as `freeNameFor`
 */
export async function freeNameFrom(context: FileContext, path: Path, from: number): Promise<{ path: Path; number: number }> {
  const isHidden = blockedNames(context)
  for (let number = from; ; number++) {
    const candidate = number === 0 ? path : childOf(parentOf(path), numbered(nameOf(path), number))
    // Of the name itself it is said that it is blocked.
    if (number > 0 && isHidden(candidate)) continue
    if (!(await entryAt(context, candidate))) return { path: candidate, number }
  }
}

/** The target name was taken after it was found to be free; nothing was changed. */
export class NameTaken extends Failure {
  constructor(cause: unknown) {
    super('conflict', 'the name is taken', { cause })
  }
}

/** Does the first change of a transfer, which creates the target name. @throws NameTaken when it was taken meanwhile */
export async function takingName<T>(context: FileContext, path: Path, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isConflict = error instanceof Failure && error.code === 'conflict'
    // There are other conflicts than a taken name: a source in use, an equal name in another spelling.
    if (isConflict && (await entryAt(context, path))) throw new NameTaken(error)
    throw error
  }
}

/** The same of work that says so itself. @throws NameTaken */
export function takingFree<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const isTaken = error instanceof Failure && error.code === 'conflict' && error.template === 'the name is taken'
    throw isTaken ? new NameTaken(error) : error
  })
}

/** `name(number).ext`; the stem is shortened when the name would exceed 255 bytes. */
export function numbered(name: string, number: number): string {
  const extension = extensionOf(name)
  const stem = name.slice(0, name.length - extension.length)
  const tail = `(${number})${extension}`
  const space = longestName - Buffer.byteLength(tail)
  // An extension that leaves no space counts as part of the name, which is then shortened at its end.
  if (space < 0) return `${shortened(name, longestName - `(${number})`.length)}(${number})`
  return shortened(stem, space) + tail
}

/** `name(number)` of a folder whose name is that of a person or a time, where what follows a dot is no extension. */
export function numberedWhole(name: string, number: number): string {
  const tail = `(${number})`
  return shortened(name, longestName - tail.length) + tail
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

/** The number of attempts when a free name is taken by others. */
const mostTries = 20

/** A free name may be taken before it is used: then the next is tried. */
export async function untilFree(rename: boolean, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!rename || !(error instanceof NameTaken) || tries === mostTries) throw error
    }
  }
}
