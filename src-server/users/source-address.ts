import { isIPv6 } from 'node:net'

/**
 * The source that failed sign-ins are counted for: the IPv4 address, also when it is mapped to IPv6; the /64 network of an IPv6
 * address, because providers give each customer at least one; '' for a unix socket.
 */
export function sourceOf(address: string): string {
  const bare = address.split('%')[0] ?? ''
  if (!isIPv6(bare)) return bare
  const groups = groupsOf(bare)
  return mappedAddress(groups) ?? `${groups.slice(0, 4).join(':')}::/64`
}

/** The network that one customer of a provider may have all of: the /56 of a source of IPv6, and any other source itself. */
export function customerOf(source: string): string {
  const [, first, last] = /^((?:[0-9a-f]+:){3})([0-9a-f]+)::\/64$/.exec(source) ?? []
  if (first === undefined || last === undefined) return source
  return `${first}${(Number.parseInt(last, 16) & 0xff00).toString(16)}::/56`
}

/** Whether a source is this machine, as with requests through a proxy that is not named. */
export function isLoopback(source: string): boolean {
  return source === '' || source.startsWith('127.') || source === sourceOf('::1')
}

/** The IPv4 address in `::ffff:192.0.2.1`. */
function mappedAddress(groups: readonly string[]): string | undefined {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined
  const numbers = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.')
}

/** The eight groups of an IPv6 address, without leading zeros, in lower case. */
function groupsOf(address: string): string[] {
  const [head = '', tail = ''] = canonical(address).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after]
}

/** The form of RFC 5952. The URL parser accepts all other forms, also with a dotted IPv4 address at the end. */
function canonical(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}
