// Changes as steps: their progress, their end on an abort, and what undoes them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Progress } from '../../src-server/base/operation.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import { copyStep, moveStep, removeStep, type Step } from '../../src-server/files/steps.ts'
import { body, capability, fileContext } from '../support/capabilities.ts'
import { contentOf, namesIn } from '../support/in-disk.ts'
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

/** Runs a step and then what undoes it. */
async function runAndUndo(step: Step, context: ReturnType<typeof setup>['context']) {
  const undo = await step.run()
  assert.ok(undo)
  await (await undo(context)).run()
}

for (const [name, make] of [
  ['copy', (context) => copyStep(context, tree, copy, plain)],
  ['removal', (context) => removeStep(context, tree)],
] satisfies [string, (context: ReturnType<typeof setup>['context']) => Promise<Step>][]) {
  test(`a ${name} changes nothing before it runs, and reports each entry of all`, async () => {
    const { disk, context, reports } = setup()
    const step = await make(context)
    assert.deepEqual([await namesIn(disk), reports], [['f', 'there', 'tree'], []])
    await step.run()
    assert.deepEqual(
      reports,
      [1, 2, 3, 4].map((done) => ({ done, total: 4 })),
    )
  })

  test(`a ${name} stops at an abort`, async () => {
    const { context, abort } = setup()
    const step = await make(context)
    abort.abort(new Error('cancelled'))
    await assert.rejects(step.run(), /cancelled/)
  })
}

test('what undoes a copy removes it', async () => {
  const { disk, context } = setup()
  await runAndUndo(await copyStep(context, tree, copy, plain), context)
  assert.deepEqual(
    [await namesIn(disk), await namesIn(disk, '/tree')],
    [
      ['f', 'there', 'tree'],
      ['a', 'd'],
    ],
  )
})

test('what undoes a move moves back', async () => {
  const { disk, context } = setup()
  await runAndUndo(await moveStep(context, tree, parsePath('/there/tree'), plain), context)
  assert.deepEqual([await namesIn(disk), await namesIn(disk, '/there')], [['f', 'there', 'tree'], ['a']])
})

for (const [change, make] of [
  ['added', (disk) => disk.write(capability('create', '/copy/d/new'), body('new'), { replace: false })],
  ['changed', (disk) => disk.write(capability('modify', '/copy/a'), body('changed'), { replace: true })],
  ['removed', (disk) => disk.remove(capability('delete', '/copy/a'))],
] satisfies [string, (disk: MemoryDisk) => Promise<unknown>][]) {
  test(`a copy in which something was ${change} is not removed`, async () => {
    const { disk, context } = setup()
    const undo = await (await copyStep(context, tree, copy, plain)).run()
    await make(disk)
    const before = await namesIn(disk, '/copy')
    await assert.rejects(async () => undo?.(context), { code: 'conflict' })
    assert.deepEqual(await namesIn(disk, '/copy'), before)
  })
}

test('nothing undoes what replaced something, nor a removal', async () => {
  const { disk, context } = setup()
  const merging = { override: true, rename: false }
  assert.equal(await (await copyStep(context, tree, parsePath('/there'), merging)).run(), undefined)
  assert.equal(await (await moveStep(context, parsePath('/f'), parsePath('/there/a'), merging)).run(), undefined)
  assert.equal(await (await removeStep(context, tree)).run(), undefined)
  assert.deepEqual([await namesIn(disk), await contentOf(disk, '/there/a')], [['there'], 'F'])
})
