/** The variables of the server that commands get; the others may hold secrets, and name files of the server. */
const defaults = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/', LANG: 'C.UTF-8' }

/** `PATH`, `HOME` and `LANG` of the server, or usual values where it has none. */
export function cleanEnvironment(own: NodeJS.ProcessEnv = process.env): Record<keyof typeof defaults, string> {
  return { PATH: own.PATH || defaults.PATH, HOME: own.HOME || defaults.HOME, LANG: own.LANG || defaults.LANG }
}
