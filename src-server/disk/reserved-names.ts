// Names that no listing shows and no request can use, in every folder: what the server itself puts beside people's files. They
// are no protected paths, whose ancestors stay where they are: a folder with such a name in it can be moved.
import type { DiskContext } from './disk-context.ts'
import { isTemporaryName, isTreeName, isUploadName } from './temporary-names.ts'

/** The folder in which deleted and replaced files are kept. */
export const trashName = '.holdall-trash'

// By Unicode's simple folding of case, as a file system may compare names.
const others = /^\.holdall-(?:trash|volume)$/iu

/**
 * Whether a name is reserved in every folder: that of a temporary file, an unfinished upload, a trash, an archive that is being extracted,
 * a volume's marker.
 */
export function isReservedName(name: string): boolean {
  // Most names have no dot at their beginning.
  return name.startsWith('.') && (isTemporaryName(name) || isUploadName(name) || isTreeName(name) || others.test(name))
}

/** Which names in a folder are hidden and refused: the reserved ones, and those that are protected there. @param folder its identity */
export function hiddenNames({ protectedPaths }: Pick<DiskContext, 'protectedPaths'>, folder: string): (name: string) => boolean {
  const isProtected = protectedPaths.namesIn(folder)
  return isProtected ? (name) => isReservedName(name) || isProtected(name) : isReservedName
}
