// The specification's business constants (section 9) that no other test of the interface is named after.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { noticeTime } from '../../src-ui/core/notices.ts'
import type { TileSize } from '../../src-ui/core/preferences.ts'
import { loadingDelay } from '../../src-ui/listing/listing.ts'
import { mosaicMeasures } from '../../src-ui/listing/measures.ts'
import { doubleClickTime } from '../../src-ui/listing/use-pointer.ts'

const sources = resolve(import.meta.dirname, '../../src-ui')

test('Notice timeout 1000 ms', () => assert.equal(noticeTime, 1000))
test('Double-tap window 300 ms', () => assert.equal(doubleClickTime, 300))
test('A wait is shown after 150 ms', () => assert.equal(loadingDelay, 150))

test('Mosaic column width about 300 px', () => {
  for (let width = 1000; width <= 2600; width += 50) {
    const { columns } = mosaicMeasures(width, false, 'medium')
    const column = width / columns.files
    assert.ok(column >= 270 && column <= 400, `${column} px in ${width} px`)
  }
})

test('Small and large tiles, three and one side by side on a phone; folders keep their columns', () => {
  const columnsOf = (size: TileSize, isPhone = false) => mosaicMeasures(isPhone ? 390 : 1280, isPhone, size).columns
  assert.deepEqual([columnsOf('small').files, columnsOf('medium').files, columnsOf('large').files], [6, 4, 2])
  assert.deepEqual([columnsOf('small', true).files, columnsOf('medium', true).files, columnsOf('large', true).files], [3, 2, 1])
  assert.deepEqual([columnsOf('small').folders, columnsOf('large').folders, columnsOf('large', true).folders], [4, 4, 1])
})

test('Mobile breakpoint 736 px: no style uses another width', async () => {
  const widths = new Set<number>()
  // In the usual type of 16 px. In a larger one the phone's layout begins earlier, as when the page is enlarged.
  for await (const file of glob('**/*.{css,ts,tsx}', { cwd: sources }))
    for (const [, width = ''] of readFileSync(join(sources, file), 'utf8').matchAll(/\(max-width: ([\d.]+)em\)/g))
      widths.add(Number(width) * 16)
  assert.ok(widths.has(736))
  assert.deepEqual(
    [...widths].filter((width) => width > 600 && width < 900 && width !== 736),
    [],
  )
})

test('Sizes follow the type of the browser: no style has 8 px or more, but for radii, shadows and patterns', async () => {
  const found: string[] = []
  for await (const file of glob('**/*.css', { cwd: sources })) {
    const lines = readFileSync(join(sources, file), 'utf8').split('\n')
    const sized = lines.filter((line) => /(?<![\d.])([89]|\d{2,})(\.\d+)?px/.test(line))
    const other = /--radius-|light-dark\(|translateY|-gradient\(/
    found.push(...sized.filter((line) => !other.test(line)).map((line) => `${file}: ${line.trim()}`))
  }
  assert.deepEqual(found, [])
})
