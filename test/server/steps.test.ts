// Changes as steps: their progress, and their end on an abort.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Progress } from '../../src-server/base/operation.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { copyStep, removeStep, type Step } from '../../src-server/files/steps.ts'
import { fileContext } from '../support/capabilities.ts'
import { namesIn } from '../support/in-disk.ts'
import { MemoryDisk } from '../support/memory-disk.ts'

const [tree, copy] = [parsePath('/tree'), parsePath('/copy')]
const plain = { override: false, rename: false }

function setup() {
  const disk = new MemoryDisk({ 'tree/a': 'A', 'tree/d/b': 'B', 'there/a': 'old', f: 'F' })
  const reports: Progress[] = []
  const abort = new AbortController()
  const context = fileContext(disk, { signal: abort.signal, report: (progress) => void reports.push(progress) })
  return { disk, context, abort, reports }
}

for (const [name, make] of [
  ['copy', (context) => copyStep(context, tree, copy, plain)],
  ['removal', (context) => removeStep(context, tree)],
] satisfies [string, (context: ReturnType<typeof setup>['context']) => Promise<Step>][]) {
  test(`a ${name} changes nothing before it runs, and reports each entry of all`, async () => {
    const { disk, context, reports } = setup()
    const step = await make(context)
    // What is copied is looked at before, so that it is known how much it is.
    const first = name === 'copy' ? [{ done: 0, total: 4, bytes: 2 }] : []
    assert.deepEqual([await namesIn(disk), reports], [['f', 'there', 'tree'], first])
    await step.run()
    assert.deepEqual(reports, [...first, ...[1, 2, 3, 4].map((done) => ({ done, total: 4 }))])
  })

  test(`a ${name} stops at an abort`, async () => {
    const { context, abort } = setup()
    const step = await make(context)
    abort.abort(new Error('cancelled'))
    await assert.rejects(step.run(), /cancelled/)
  })
}
