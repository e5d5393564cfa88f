/** What a session was begun with, as far as the name of the client tells. */
export type ClientKind = 'computer' | 'phone' | 'tablet' | 'program'

/** @param agent what the client called itself; '' when it is not known */
export function clientKind(agent: string): ClientKind {
  if (/iPad|Tablet/.test(agent) || (/Android/.test(agent) && !/Mobile/.test(agent))) return 'tablet'
  if (/Mobi|iPhone/.test(agent)) return 'phone'
  return agent === '' || /^Mozilla/.test(agent) ? 'computer' : 'program'
}

const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  // Others call themselves Chrome and Safari too, so these come last.
  ['Edge', /Edg(e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS)\//],
  ['Safari', /Safari\//],
]

const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Windows', /Windows/],
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

/** Browser and system, or else the program, as far as the name of the client tells: `Firefox, Linux`, `curl`; '' for none. */
export function clientName(agent: string): string {
  if (!/^Mozilla/.test(agent)) return agent.slice(0, 40).split(/[/\s]/)[0] ?? ''
  const named = [browsers, systems].map((known) => known.find(([, pattern]) => pattern.test(agent))?.[0])
  return named.filter(Boolean).join(', ')
}

/** Whether an address belongs to this network or machine. */
export function isNear(address: string): boolean {
  if (/^(10|127)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\./.test(address)) return true
  return address === '::1' || /^(f[cd]|fe[89ab])[0-9a-f]*:/i.test(address)
}
