import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { lockProblems, problemsOf } from '../../scripts/check-lock.ts'

test('package-lock.json can be installed on a clean machine', async () => {
  assert.deepEqual(await lockProblems(join(import.meta.dirname, '../..')), [])
})

test('a package for another system that is missing from the lock is named', () => {
  const packages = {
    '': { optionalDependencies: { here: '1.0.0' } },
    'node_modules/here': { optionalDependencies: { 'here-linux': '1.0.0', 'here-beos': '1.0.0' } },
    'node_modules/here/node_modules/deep': { optionalDependencies: { 'here-linux': '1.0.0', 'deep-beos': '1.0.0' } },
    'node_modules/here-linux': { version: '1.0.0' },
  }
  assert.deepEqual(problemsOf({ packages }), [
    'package-lock.json lacks here-beos, which node_modules/here names: npm ci would refuse it',
    'package-lock.json lacks deep-beos, which node_modules/here/node_modules/deep names: npm ci would refuse it',
  ])
})

test('a lock that names a registry is refused', () => {
  const packages = { 'node_modules/a': { version: '1.0.0', resolved: 'https://packages.example/a.tgz' } }
  assert.match(problemsOf({ packages }).join(), /has the URL of node_modules\/a/)
})
