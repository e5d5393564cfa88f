// Trusted proxies and their headers, and the host names that the server answers to.
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../base/clock.ts'
import type { UnnamedProxies } from '../users/unnamed-proxies.ts'

/** Whether the forwarded headers of a peer count. An undefined or empty address is a unix socket. */
export type Trusts = (address: string | undefined) => boolean

/** @param listed IP addresses, CIDR ranges, and `unix` for peers on the unix socket */
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

/** `fe80::1%eth0` becomes `fe80::1`, and an IPv4-mapped IPv6 address becomes the IPv4 address. */
function withoutZone(address: string) {
  const bare = address.split('%')[0] ?? ''
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
}

function family(address: string) {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

/** Whether a Host header is localhost, an IP address or one of the names given with --host. */
export function answersTo(host: string | undefined, names: readonly string[]): boolean {
  const name = hostName(host ?? '')
  return name === 'localhost' || isIP(name) !== 0 || names.some((known) => known.toLowerCase() === name)
}

/** Without port, brackets and the final dot. */
function hostName(host: string) {
  const name = /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1] ?? host.replace(/:\d*$/, '')
  return name.toLowerCase().replace(/\.$/, '')
}

/** Headers in which proxies name the client. */
const forwardedHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'forwarded']

/** Whether a proxy says for whom it asks. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return forwardedHeaders.some((name) => name in headers)
}

/** Milliseconds between two warnings that name no new proxy. */
const warningInterval = 60 * 60_000

/** Warns of forwarded headers that are ignored because the peer is not named: at once of a new proxy, else at most once an hour. */
export function warnOfUnnamedProxies(
  app: FastifyInstance,
  { trusts, clock, proxies }: { trusts: Trusts; clock: Clock; proxies: Pick<UnnamedProxies, 'add'> },
): void {
  let next = Number.NEGATIVE_INFINITY
  app.addHook('onRequest', async ({ headers, raw, log }) => {
    const peer = raw.socket.remoteAddress
    if (!isForwarded(headers) || trusts(peer)) return
    const name = peer ? withoutZone(peer) : 'unix'
    const isNew = proxies.add(name)
    if (!isNew && clock.elapsed() < next) return
    next = clock.elapsed() + warningInterval
    log.warn(
      `Forwarded headers from ${peer || 'the unix socket'} do not count: start with --trusted-proxy ${name} if that is your proxy.`,
    )
  })
}

/**
 * Cleans X-Forwarded-For: some proxies add ports, others write texts that are not addresses. Ports and brackets are removed. An
 * entry that is not an address is removed with all entries before it, so that the peer that sent it counts as the client.
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

/** The addresses after the last entry that is not an address. */
function knownAddresses(list: string): string[] {
  const addresses = list.split(',').map((entry) => withoutPort(entry.trim()))
  return addresses.slice(addresses.findLastIndex((address) => isIP(address) === 0) + 1)
}

function withoutPort(entry: string) {
  const bare = /^"?\[([^\]]*)\](?::\d*)?"?$/.exec(entry)?.[1] ?? /^([\d.]+):\d*$/.exec(entry)?.[1] ?? entry
  return withoutZone(bare)
}
