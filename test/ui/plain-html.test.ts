// What remains of the HTML in a document.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTable } from '../../src-ui/editor/parse-table.ts'
import { plainHtml } from '../../src-ui/editor/plain-html.ts'

const cases: readonly (readonly [string, string])[] = [
  ['<p>a <b>c</b></p>', '<p>a <b>c</b></p>'],
  ['<p onclick="x()" style="y" title="z">a</p>', '<p title="z">a</p>'],
  ['a<script>x()</script>b<style>c</style>', 'ab'],
  ['a<script>x()', 'a'],
  ['a<!-- b -->c<!-- d', 'ac'],
  ['<svg/onload=x()><iframe src=y></iframe>', ''],
  ['<IMG SRC=a.png onerror=x()>', '<img src="a.png">'],
  ["<a href='x\"onclick=y'>z</a>", '<a href="x&quot;onclick=y">z</a>'],
  ['1 < 2 <', '1 &lt; 2 &lt;'],
  ['<p <b>x', '&lt;p <b>x'],
  ['<img title="--><img src=1 onerror=x()>">', '<img title="-->&lt;img src=1 onerror=x()>">'],
]

for (const [html, plain] of cases) test(`${html} becomes ${plain}`, () => assert.equal(plainHtml(html), plain))

test('a million of opened tags take a moment', () => {
  for (const part of ['<p ', '<script', '<!--', '<a href="', "<a '"]) {
    const started = performance.now()
    plainHtml(part.repeat(200_000))
    assert.ok(performance.now() - started < 5000, part)
  }
})

test('tables: separators, heads, and columns of numbers', () => {
  const table = parseTable('Name;Size\na;1,5\nb;2\n', 'x.csv')
  assert.deepEqual(
    [table.head, table.rows, table.delimiter, table.numeric],
    [
      ['Name', 'Size'],
      [
        ['a', '1,5'],
        ['b', '2'],
      ],
      ';',
      [false, true],
    ],
  )
  assert.deepEqual(parseTable('1\t2\n3\t4', 'x.tsv').head, undefined)
  assert.deepEqual(parseTable('a,"b\nc",""""\n', 'x.csv').rows, [['a', 'b\nc', '"']])
  assert.equal(parseTable('', 'x.csv').columns, 0)
})
