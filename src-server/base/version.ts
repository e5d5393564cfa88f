/** Put in place of the name by `build.ts`, from package.json. */
declare const HOLDALL_VERSION: string

export const version: string = typeof HOLDALL_VERSION === 'undefined' ? '0.0.0-source' : HOLDALL_VERSION
