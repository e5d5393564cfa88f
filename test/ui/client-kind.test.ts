import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientKind, clientName, isNear } from '../../src-ui/settings/client-kind.ts'

const clients: [agent: string, kind: string, name: string][] = [
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'computer', 'Chrome, Linux'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'computer', 'Firefox, Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0', 'computer', 'Edge, Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'computer', 'Safari, macOS'],
  ['Mozilla/5.0 (compatible)', 'computer', ''],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1', 'phone', 'Safari, iOS'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36', 'phone', 'Chrome, Android'],
  ['Mozilla/5.0 (Linux; Android 15; SM-X910) Chrome/140.0 Safari/537.36', 'tablet', 'Chrome, Android'],
  ['curl/8.10.1', 'program', 'curl'],
  ['', 'computer', ''],
]

for (const [agent, kind, name] of clients) {
  test(`the client "${agent}" is a ${kind}, named "${name}"`, () => {
    assert.equal(clientKind(agent), kind)
    assert.equal(clientName(agent), name)
  })
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
