import { Failure } from '../base/failure.ts'

/** A list of versions, or any existing version. */
export type Versions = readonly string[] | 'any'

/** The conditions of a change for the file that it replaces. Both may be undefined. */
export type VersionCondition = Readonly<{
  /** The file exists and has one of these versions. */
  match?: Versions | undefined
  /** There is no file, or it has none of these versions. */
  noneMatch?: Versions | undefined
}>

/**
 * @param current the existing file, if any
 * @returns the version that the file must still have when it is replaced; undefined when it may have any
 * @throws Failure('changed')
 */
export function checkVersion(
  { match, noneMatch }: VersionCondition,
  current: { version: string } | undefined,
): string | undefined {
  if (match !== undefined && !isAmong(current, match)) throw new Failure('changed', 'the file has changed')
  if (noneMatch !== undefined && isAmong(current, noneMatch)) throw new Failure('changed', 'there is a file already')
  return match === undefined || match === 'any' ? undefined : current?.version
}

function isAmong(current: { version: string } | undefined, versions: Versions) {
  if (current === undefined) return false
  return versions === 'any' || (current.version !== '' && versions.includes(current.version))
}
