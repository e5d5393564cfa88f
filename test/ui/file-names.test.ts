import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitEnding } from '../../src-ui/ui/file-names.ts'
import { shapeOf } from '../../src-ui/ui/file-shape.ts'

const names: [name: string, stem: string, ending: string][] = [
  ['Report.pdf', 'Report', '.pdf'],
  ['drawings-issue-C.tar.gz', 'drawings-issue-C', '.tar.gz'],
  ['.bashrc', '.bashrc', ''],
  ['..hidden', '..hidden', ''],
  ['README', 'README', ''],
  ['ends with a dot.', 'ends with a dot.', ''],
  ['1. First chapter', '1. First chapter', ''],
  ['archive.verylongending', 'archive.verylongending', ''],
  ['two\nlines.txt', 'two\nlines', '.txt'],
  ['😀.bin', '😀', '.bin'],
  ['', '', ''],
]

for (const [name, stem, ending] of names) {
  test(`the name ${JSON.stringify(name)} may be shortened in ${JSON.stringify(stem)}`, () => {
    assert.deepEqual(splitEnding(name), [stem, ending])
  })
}

const shapes: [type: string, name: string, shape: string][] = [
  ['image', 'a.jpg', 'image'],
  ['text', 'notes.md', 'text'],
  ['text', 'materials.json', 'code'],
  ['text', 'prices.csv', 'sheet'],
  ['textImmutable', 'huge.log', 'text'],
  ['blob', 'a.tar.gz', 'archive'],
  ['blob', 'plan.PDF', 'pdf'],
  ['blob', 'Budget.xlsx', 'sheet'],
  ['blob', 'scan.e57', 'other'],
  ['others', 'README', 'other'],
]

for (const [type, name, shape] of shapes) {
  test(`${name}, which the server calls ${type}, has the shape ${shape}`, () => assert.equal(shapeOf(type, false, name), shape))
}

test('a folder has the shape of a folder, whatever its name', () => assert.equal(shapeOf('', true, 'photos.zip'), 'folder'))
