/**
 * What lies beside the state file in files or folders of its own. `disk/protected-paths.ts` protects all names that begin with the
 * whole name of the state file, and so these, what they are turned over to, and everything in such a folder.
 */
export const namesBesideState = [
  'downloads',
  'temporary-folders',
  'jobs',
  'job-heads',
  'uploads',
  'requests',
  'request-uploads',
  'trash',
  'trash-places',
  'history',
  'reserve',
  'clock',
  'control',
] as const

/** The path of one of them. */
export function besideState(stateFile: string, name: (typeof namesBesideState)[number]): string {
  return `${stateFile}.${name}`
}
