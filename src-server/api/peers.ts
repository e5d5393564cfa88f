// Whose forwarded headers count, and which names the server answers to.
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../base/clock.ts'

export type Trusts = (address: string | undefined) => boolean

/** @param listed IP addresses, CIDR ranges, and `unix` for whoever comes by the unix socket */
export function trustedPeers(listed: readonly string[]): Trusts {
  const list = new BlockList()
  for (const entry of listed.filter((entry) => entry !== 'unix')) add(list, entry)
  const trustsUnix = listed.includes('unix')
  return (address) => {
    if (!address) return trustsUnix
    const bare = withoutZone(address)
    return isIP(bare) !== 0 && list.check(bare, family(bare))
  }
}

function add(list: BlockList, entry: string) {
  const [address = '', prefix] = entry.split('/')
  if (prefix === undefined) list.addAddress(address, family(address))
  else list.addSubnet(address, Number(prefix), family(address))
}

/** `fe80::1%eth0` is `fe80::1`, and an IPv4 address that came over IPv6 is that address. */
function withoutZone(address: string) {
  const bare = address.split('%')[0] ?? ''
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
}

function family(address: string) {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

/** Whether a Host header is localhost, an IP literal or one of the names that the server was started for. */
export function answersTo(host: string | undefined, names: readonly string[]): boolean {
  const name = hostName(host ?? '')
  return name === 'localhost' || isIP(name) !== 0 || names.some((known) => known.toLowerCase() === name)
}

/** Without port, brackets and the final dot. */
function hostName(host: string) {
  const name = /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1] ?? host.replace(/:\d*$/, '')
  return name.toLowerCase().replace(/\.$/, '')
}

/** What a proxy says of whom it speaks for. */
const forwardedHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'forwarded']

/** Milliseconds between two warnings. */
const warningInterval = 60 * 60_000

/** Warns, once an hour at most, of forwarded headers that do not count because their sender is not trusted. */
export function warnOfUnnamedProxies(app: FastifyInstance, trusts: Trusts, clock: Clock): void {
  let next = Number.NEGATIVE_INFINITY
  app.addHook('onRequest', async ({ headers, raw, log }) => {
    const peer = raw.socket.remoteAddress
    if (clock.elapsed() < next || trusts(peer) || !forwardedHeaders.some((name) => name in headers)) return
    next = clock.elapsed() + warningInterval
    const name = peer ? withoutZone(peer) : 'unix'
    log.warn(
      `Forwarded headers from ${peer || 'the unix socket'} do not count: start with --trusted-proxy ${name} if that is your proxy.`,
    )
  })
}

/**
 * Some proxies add the port to an address, some write what is no address. Ports and brackets go; what is left of something that
 * is no address goes as well, so that whoever sent it counts as the client.
 */
export function cleanForwardedFor(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    const sent = headers['x-forwarded-for']
    if (sent === undefined) return
    const addresses = knownAddresses(String(sent))
    if (addresses.length > 0) headers['x-forwarded-for'] = addresses.join(', ')
    else delete headers['x-forwarded-for']
  })
}

/** The addresses at the end of a list, up to the last entry that is none. */
function knownAddresses(list: string): string[] {
  const addresses = list.split(',').map((entry) => withoutPort(entry.trim()))
  return addresses.slice(addresses.findLastIndex((address) => isIP(address) === 0) + 1)
}

function withoutPort(entry: string) {
  const bare = /^"?\[([^\]]*)\](?::\d*)?"?$/.exec(entry)?.[1] ?? /^([\d.]+):\d*$/.exec(entry)?.[1] ?? entry
  return withoutZone(bare)
}
