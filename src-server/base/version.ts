/** Replaced by `build.ts` with the version in package.json. */
declare const HOLDALL_VERSION: string

/** The version of the program. */
export const version: string = typeof HOLDALL_VERSION === 'undefined' ? '0.0.0-source' : HOLDALL_VERSION
