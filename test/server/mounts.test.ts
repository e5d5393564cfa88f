import assert from 'node:assert/strict'
import { test } from 'node:test'
import { devicesOfPaths, mountsBelow, mountsIn, readMounts } from '../../src-server/disk/mounts.ts'

const list = [
  '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
  '23 22 0:20 / /proc rw - proc proc rw',
  String.raw`24 22 8:2 / /srv/a\040b\134c rw - ext4 /dev/sdb1 rw`,
  '25 22 8:3 / /srv/caf\u00c3\u00a9 rw - ext4 /dev/sdc1 rw',
  '26 22 8:4 / /srv/files rw - ext4 /dev/sdd1 rw',
  '27 26 8:5 /part /srv/files rw - ext4 /dev/sde1 rw',
  '',
].join('\n')
const mounts = mountsIn(list)

test('mount points are read with their blanks and backslashes, as UTF-8', () => {
  const points = mounts.map(({ point }) => point)
  assert.deepEqual(points, ['/', '/proc', '/srv/a b\\c', '/srv/café', '/srv/files', '/srv/files'])
})

test('a path lies on the mount nearest above it, and of two on one point on the later', () => {
  const of = (...paths: string[]) => devicesOfPaths(paths, mounts)
  assert.deepEqual(
    [of('/home/x'), of('/srv/filesystem'), of('/srv/a b\\c/x'), of('/srv/café')],
    [['8:1'], ['8:1'], ['8:2'], ['8:3']],
  )
  assert.deepEqual(of('/srv/files', '/srv/files/deep/x', '/proc/1', '/'), ['8:5', '0:20', '8:1'])
})

test('the mounts of this machine are listed, and those below a folder are found', () => {
  assert.ok(readMounts()?.some(({ point }) => point === '/proc'))
  assert.ok(mountsBelow('/proc').includes('/proc'))
  assert.equal(mountsBelow('/proc-not').length, 0)
})
