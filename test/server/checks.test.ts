import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type TSchema, Type } from 'typebox'
// What compiles is loaded before, so that it is there within a few turns.
import 'typebox/compile'
import { checkFor } from '../../src-server/base/checks.ts'
import { JobLine } from '../../src-server/state/job-store.ts'
import { RequestLine } from '../../src-server/state/request-store.ts'
import { UploadRecord } from '../../src-server/state/upload-store.ts'

const values = [
  undefined,
  null,
  1,
  'text',
  [],
  {},
  { gone: 'x' },
  { gone: 1 },
  { id: '', userId: 1, path: '/a' },
  { at: Number.NaN },
]

test('a check says the same before and after its schema is compiled', async () => {
  const schemas: readonly TSchema[] = [
    ...[JobLine, RequestLine, UploadRecord],
    Type.Union([Type.Object({ gone: Type.String() }), Type.Array(Type.Integer({ minimum: 1 }))]),
  ]
  for (const schema of schemas) {
    const check = checkFor(schema)
    const before = [...values, [1], [0]].map(check)
    for (let count = 0; count < 200; count++) check({})
    for (let turns = 0; turns < 100; turns++) await turn()
    assert.deepEqual([...values, [1], [0]].map(check), before)
  }
})
