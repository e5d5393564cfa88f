import { BlockList, isIPv6 } from 'node:net'
import { isLoopback, sourceOf } from './source-address.ts'

/** Where proxies of one's own are: private, link-local and shared (CGNAT) networks. */
const near = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  near.addSubnet(network, prefix)
for (const [network, prefix] of [
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  near.addSubnet(network, prefix, 'ipv6')

/** Proxies that are remembered until the server ends; further ones are treated as any other address. */
const most = 100

/**
 * Peers that send forwarded headers and are not named by `--trusted-proxy`. Everybody behind one of them seems to come from its
 * address, so that a refusal of the address would lock all of them out.
 */
export class UnnamedProxies {
  /** Source → its name for `--trusted-proxy`. */
  readonly #names = new Map<string, string>()

  /** Their names, in the order in which they were met. */
  get names(): readonly string[] {
    return [...this.#names.values()]
  }

  /**
   * Remembers a peer that has sent a forwarded header.
   * @param name of the peer for `--trusted-proxy`: its address, or `unix`
   * @returns whether it is near, and new
   */
  add(name: string): boolean {
    const source = name === 'unix' ? '' : sourceOf(name)
    if (this.#names.has(source) || this.#names.size >= most || !(isLoopback(source) || isNear(name))) return false
    this.#names.set(source, name)
    return true
  }

  /** Whether many people may share a source: this machine counts before any header has come. */
  isShared(source: string): boolean {
    return isLoopback(source) || this.#names.has(source)
  }
}

function isNear(address: string): boolean {
  return isIPv6(address) ? near.check(address, 'ipv6') : near.check(address)
}
