import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDrop } from '../../src-ui/api/read-drop.ts'

type Reader = { readEntries(take: (entries: unknown[]) => void): void }

/** A dropped folder of files as Chromium reads it: a hundred entries at a time. */
function folderOf(count: number, onFile: () => void) {
  const left = Array.from({ length: count }, (_, index) => ({
    isFile: true,
    fullPath: `/box/${index}.txt`,
    file: (take: (file: object) => void) => {
      onFile()
      take({ name: `${index}.txt` })
    },
  }))
  const createReader = (): Reader => ({ readEntries: (take) => take(left.splice(0, 100)) })
  return { isDirectory: true, fullPath: '/box', createReader }
}

test('reading a large folder yields to the page, and nothing is left out', async () => {
  let inThisTurn = 0
  let most = 0
  const turns = setInterval(() => {
    inThisTurn = 0
  })
  const folder = folderOf(250, () => {
    inThisTurn += 1
    most = Math.max(most, inThisTurn)
  })
  const items = [{ kind: 'file', webkitGetAsEntry: () => folder }]
  const paths: string[] = []
  for await (const part of readDrop({ items } as unknown as DataTransfer)) paths.push(...part.map(({ path }) => path))
  clearInterval(turns)
  assert.equal(paths.length, 251)
  assert.deepEqual(paths.slice(0, 3), ['box', 'box/0.txt', 'box/1.txt'])
  assert.ok(most < 100, `${most} files were read without a pause`)
})
