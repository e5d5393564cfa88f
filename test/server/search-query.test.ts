// What a query asks for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mediaTypeOf } from '../../src-server/files/kinds.ts'
import { Matcher } from '../../src-server/search/matcher.ts'
import { readQuery } from '../../src-server/search/query.ts'

const now = Date.parse('2026-11-22T12:00:00')
const day = 86_400_000
type Given = { name: string; isDir?: boolean; size?: number; modified?: number }

function finds(query: string, { name, isDir = false, size = 0, modified = now }: Given): boolean {
  const matcher = new Matcher(readQuery(query, now), mediaTypeOf)
  const entry = { name, isDir, size, modified: BigInt(modified) * 1_000_000n }
  return matcher.isWanted(name, isDir ? 'folder' : 'file') && matcher.finds(entry)
}

/** Checks each query against names that it finds, and names that it does not. */
function check(cases: readonly (readonly [query: string, found: readonly string[], others: readonly string[]])[]) {
  for (const [query, found, others] of cases) {
    for (const name of found) assert.ok(finds(query, { name }), `${query} finds ${name}`)
    for (const name of others) assert.ok(!finds(query, { name }), `${query} does not find ${name}`)
  }
}

test('all words must occur in the name, in any order, without case', () => {
  check([
    ['north field', ['Survey of the NORTH field.jpg', 'field north'], ['north.jpg', 'nort hfield']],
    ['  a   b  ', ['ba'], ['a']],
    ['"of the"', ['Survey of the field'], ['the survey of']],
    ['"of the" survey', ['Survey of the field'], ['of the field']],
    ['"open end', ['an open end'], ['open', 'end open']],
    ['say"hi"', ['say"hi".txt'], ['say hi']],
    ['"a"b"', ['xa"b'], ['a b']],
    ['*.txt', ['a*.txt'], ['a.txt']],
    ['[ab].', ['x[ab].y'], ['a.']],
    ['type', ['prototype'], ['x']],
    ['"type:image"', ['type:image'], ['a.png']],
    ['foo:bar', ['foo:bar'], ['foo']],
  ])
})

test('accents do not count in names and in queries, and letters of other scripts do', () => {
  check([
    ['resume', ['Résumé.pdf', 'Re\u0301sume\u0301.pdf'], ['resme']],
    ['RÉSUMÉ', ['resume.pdf'], []],
    ['strasse', ['Straße.txt', 'STRASSE'], []],
    ['oslo kobenhavn', ['Oslo–København'], []],
    ['lodz', ['Łódź.png'], []],
    ['istanbul', ['İSTANBUL', 'ıstanbul'], []],
    ['οδος', ['ΟΔΟΣ', 'οδοσ'], []],
    ['كتاب', ['كِتَابٌ.pdf', 'كتـــاب'], ['كتب']],
    ['हिंदी', ['हिंदी.txt'], ['हद']],
    ['ที่', ['ที่นี่'], ['ทน']],
    ['ｆｕｌｌ', ['full.txt'], []],
    ['\u0301 plain', ['plain'], ['other']],
  ])
})

test('case:sensitive compares case and accents, in either Unicode form', () => {
  check([
    ['case:sensitive Résumé', ['Résumé', 'Re\u0301sume\u0301'], ['résumé', 'Resume']],
    ['readme case:sensitive', ['my readme'], ['README']],
    ['case:insensitive readme', ['README'], []],
  ])
})

test('a type is a kind of media, a folder, a file or an extension, and one of several must fit', () => {
  check([
    ['type:image', ['a.PNG', 'b.jpeg'], ['png', 'a.png.txt']],
    ['type:audio', ['a.mp3'], ['a.mp4']],
    ['type:music', ['a.flac'], ['a.png']],
    ['type:video', ['a.mkv'], ['a.mp3']],
    ['type:pdf', ['a.pdf', 'UP.PDF'], ['pdf', 'a.pdf.zip']],
    ['type:.tar.gz', ['a.tar.gz'], ['a.gz']],
    ['type:image type:pdf x', ['x.png', 'x.pdf'], ['x.txt', 'y.pdf']],
  ])
  assert.ok(finds('type:folder', { name: 'a', isDir: true }))
  assert.ok(!finds('type:folder', { name: 'a' }))
  assert.ok(finds('type:file', { name: 'a' }))
  for (const query of ['type:image', 'type:png', 'type:file']) assert.ok(!finds(query, { name: 'a.png', isDir: true }), query)
})

test('a size is compared, and folders have none', () => {
  const mebibyte = 2 ** 20
  const cases: readonly (readonly [string, number, boolean])[] = [
    ['size:>10M', 10 * mebibyte, false],
    ['size:>10M', 10 * mebibyte + 1, true],
    ['size:>=10MiB', 10 * mebibyte, true],
    ['size:<1k', 1023, true],
    ['size:<1kB', 1024, false],
    ['size:<=1k', 1024, true],
    ['size:0', 0, true],
    ['size:=5b', 5, true],
    ['size:1k..2k', 2048, true],
    ['size:1k..2k', 2049, false],
    ['size:..2k', 2049, false],
    ['size:2k..', 2049, true],
    ['size:>1.5G', 1.5 * 2 ** 30 + 1, true],
    ['size:>1k size:<2k', 1500, true],
    ['size:>1k size:<2k', 2500, false],
  ]
  for (const [query, size, isFound] of cases) assert.equal(finds(query, { name: 'f', size }), isFound, `${query} ${size}`)
  assert.ok(!finds('size:>=0', { name: 'd', isDir: true }))
})

test('a time of change is compared by age and by day', () => {
  const at = (text: string) => Date.parse(text)
  const cases: readonly (readonly [string, number, boolean])[] = [
    ['changed:<7d', now - 6 * day, true],
    ['changed:<7d', now - 8 * day, false],
    ['changed:7d', now - 6 * day, true],
    ['changed:>1y', now - 366 * day, true],
    ['changed:>1y', now - 364 * day, false],
    ['changed:<30min', now - 29 * 60_000, true],
    ['changed:<2mo', now - 61 * day, false],
    ['changed:2024-05-03', at('2024-05-03T23:59:59.999'), true],
    ['changed:2024-05-03', at('2024-05-04T00:00:00'), false],
    ['changed:2024-05', at('2024-05-31T23:00:00'), true],
    ['changed:2024', at('2023-12-31T23:00:00'), false],
    ['changed:>2024', at('2025-01-01T00:00:00'), true],
    ['changed:>=2024-05-03', at('2024-05-03T00:00:00'), true],
    ['changed:<2024-05-03', at('2024-05-03T00:00:00'), false],
    ['changed:2023..2024-02', at('2024-02-29T12:00:00'), true],
    ['changed:2023..2024-02', at('2024-03-01T00:00:00'), false],
  ]
  for (const [query, modified, isFound] of cases) assert.equal(finds(query, { name: 'f', modified }), isFound, query)
})

test('a query that cannot be read is refused with what is wrong', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['x'.repeat(1001), /1,000 characters/],
    [Array.from({ length: 17 }, (_, index) => `w${index}`).join(' '), /16 words/],
    ['type:', /^type: needs/],
    ['case:loud', /^case: needs/],
    ['size:', /^size: needs/],
    ['size:big', /^size: needs/],
    ['size:>1k..2k', /^size: needs/],
    ['size:..', /^size: needs/],
    ['size:1..2..3', /^size: needs/],
    ['changed:', /^changed: needs/],
    ['changed:soon', /^changed: needs/],
    ['changed:2024-13', /^changed: needs/],
    ['changed:2024-02-30', /^changed: needs/],
  ]
  for (const [query, message] of refused) assert.throws(() => readQuery(query, now), { code: 'invalid', message }, query)
  assert.ok(readQuery('x'.repeat(1000), now))
  assert.ok(readQuery(Array.from({ length: 16 }, (_, index) => `w${index}`).join(' '), now))
})

test('the parts of a name that match are marked in its own letters', () => {
  const marked = (query: string, name: string) =>
    new Matcher(readQuery(query, now), mediaTypeOf).marksOf(name).map(([begin, end]) => name.slice(begin, end))
  assert.deepEqual(marked('field north', 'North field.jpg'), ['North', 'field'])
  assert.deepEqual(marked('resume pdf', 'Mon Résumé.pdf'), ['Résumé', 'pdf'])
  assert.deepEqual(marked('resume', 'a Re\u0301sume\u0301.pdf'), ['Re\u0301sume\u0301'])
  assert.deepEqual(marked('rasse', 'Straße.txt'), ['raße'])
  assert.deepEqual(marked('abc cde', 'xabcdex'), ['abcde'])
  assert.deepEqual(marked('x', '😀x😀'), ['x'])
  assert.deepEqual(marked('type:image', 'a.png'), [])
})
