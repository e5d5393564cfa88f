// Whose forwarded headers count, and which names the server answers to.
import { BlockList, isIP, isIPv6 } from 'node:net'

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
