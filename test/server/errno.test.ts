import '../support/in-memory.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../src-server/base/failure.ts'
import { failureOf } from '../../src-server/disk/errno.ts'
import { diskSystem } from '../../src-server/disk/system.ts'
import { body, capability } from '../support/capabilities.ts'
import { openDisk } from '../support/open-disk.ts'
import { harvest } from '../support/tree.ts'

function systemError(code: string) {
  return Object.assign(new Error(`${code}: so says the system, open '/secret/path'`), { code, syscall: 'open' })
}

for (const [code, errnos] of Object.entries({
  notFound: ['ENOENT', 'ENOTDIR', 'ELOOP'],
  conflict: ['EEXIST', 'ENOTEMPTY', 'EISDIR', 'EBUSY'],
  forbidden: ['EACCES', 'EPERM', 'EROFS'],
  full: ['ENOSPC', 'EDQUOT', 'EFBIG'],
  invalid: ['ENAMETOOLONG', 'EILSEQ'],
  busy: ['EMFILE', 'ENFILE', 'ESTALE', 'ENOTCONN', 'EHOSTDOWN', 'ETIMEDOUT'],
})) {
  test(`${errnos.join(', ')}: ${code}, with the cause kept and no path of the host in the message`, async (t) => {
    for (const errno of errnos) {
      const cause = systemError(errno)
      const system = { ...diskSystem, open: () => Promise.reject(cause) }
      const { disk, root } = await openDisk(t, { options: () => ({ system }) })
      const failure = await disk.write(capability('create', '/f'), body('x'), { replace: false }).catch((error: unknown) => error)
      assert.ok(failure instanceof Failure)
      assert.deepEqual([failure.code, failure.cause], [code, cause], errno)
      assert.doesNotMatch(failure.message, /secret/)
      assert.deepEqual(await harvest(root), {})
    }
  })
}

test('any other error is passed on unchanged, to be logged', () => {
  for (const error of [
    systemError('EIO'),
    new Error('ENOENT'),
    Object.assign(new Error(), { code: 'ENOENT' }),
    'ENOENT',
    undefined,
  ]) {
    assert.equal(failureOf(error), error)
  }
})
