import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientKind, isNear } from '../../src-ui/settings/client-kind.ts'

const clients: [agent: string, kind: string][] = [
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'computer'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1', 'phone'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36', 'phone'],
  ['Mozilla/5.0 (Linux; Android 15; SM-X910) Chrome/140.0 Safari/537.36', 'tablet'],
  ['curl/8.10.1', 'program'],
  ['', 'computer'],
]

for (const [agent, kind] of clients) {
  test(`the client "${agent}" is a ${kind}`, () => assert.equal(clientKind(agent), kind))
}

const addresses: [address: string, near: boolean][] = [
  ...[
    ['192.168.1.20', true] as [string, boolean],
    ['10.0.0.1', true] as [string, boolean],
    ['172.20.0.1', true] as [string, boolean],
  ],
  ...[
    ['172.32.0.1', false] as [string, boolean],
    ['203.0.113.80', false] as [string, boolean],
    ['::1', true] as [string, boolean],
  ],
  ...[
    ['fd12::1', true] as [string, boolean],
    ['fe80::1', true] as [string, boolean],
    ['2001:db8::1', false] as [string, boolean],
  ],
]

for (const [address, near] of addresses) {
  test(`the address ${address} is ${near ? 'near' : 'outside'}`, () => assert.equal(isNear(address), near))
}
