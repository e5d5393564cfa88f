// The codes of refusals: the page says them in its own words, scripts go on reading the sentences.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { flatten } from '../../scripts/check-locales.ts'
import { answerFor, problemOf, sentenceOf } from '../../src-server/api/failures.ts'
import { Failure, refusedField } from '../../src-server/base/failure.ts'
import { refusalCodes } from '../../src-server/contract/refusals.ts'

const top = resolve(import.meta.dirname, '../..')
const sources = await readSources()
const english = flatten(JSON.parse(await readFile(join(top, 'locales/en.json'), 'utf8')))

test('an answer holds the sentence, and in a header the code and the parameters', () => {
  const taken = answerFor(new Failure('conflict', 'the name is taken in another spelling'))
  assert.equal(sentenceOf(taken), '409 Conflict (the name is taken in another spelling)\n')
  assert.equal(taken.headers['X-Refusal'], 'code=spellingTaken')
  const many = answerFor(new Failure('conflict', 'you have {{number}} links already', { about: { number: 500 } }))
  assert.equal(many.headers['X-Refusal'], 'code=tooManyLinks&number=500')
  const rule = answerFor(refusedField('rules', 'has "{{rule}}", which is no expression of RE2', { rule: '(é' }))
  assert.equal(rule.headers['X-Refusal'], 'code=ruleNotExpression&field=rules&rule=%28%C3%A9')
  const limit = answerFor(
    refusedField('hookLimits.seconds', 'is a whole number from {{least}} to {{most}}', { least: 1, most: 600 }),
  )
  assert.equal(limit.headers['X-Refusal'], 'code=wholeNumber&field=hookLimits.seconds&least=1&most=600')
})

test('a long rule is whole in the sentence and short in the header', () => {
  const rule = `(${'😀'.repeat(20_000)}`
  const refused = answerFor(refusedField('rules', 'has "{{rule}}", which is no expression of RE2', { rule }))
  assert.ok(sentenceOf(refused).includes(rule))
  const header = refused.headers['X-Refusal'] ?? ''
  assert.ok(header.length < 1000, `${header.length} characters`)
  assert.match(new URLSearchParams(header).get('rule') ?? '', /^\((?:😀){48,49}…$/u)
})

test('problem details hold the code too', () => {
  const answer = answerFor(new Failure('conflict', 'a folder is in the way'))
  assert.deepEqual(problemOf(answer), {
    ...{ type: 'about:blank', title: 'Conflict', status: 409, code: 'conflict', detail: 'a folder is in the way' },
    refusal: { code: 'folderInTheWay', params: {} },
  })
})

test('a sentence without a code of its own has no header', () => {
  assert.equal(answerFor(new Failure('invalid', 'which must be an empty list')).headers['X-Refusal'], undefined)
  assert.equal(answerFor(new Failure('internal', 'the disk was closed')).headers['X-Refusal'], undefined)
})

test('every sentence with a code is one that the server says', () => {
  const said = sources.join('\n')
  for (const sentence of Object.keys(refusalCodes)) {
    // Parameters and the names of fields stand apart in the sources.
    const pieces = sentence.split(/\{\{\w+\}\}|\d+ to \d+/)
    // A rule's sentence ends as its kind decides.
    const texts = pieces.map((text) => text.trim().replace(/^", which is no \w+/, ''))
    for (const piece of texts.filter((text) => text.length > 8))
      assert.ok(said.includes(piece), `no source says "${piece}" of "${sentence}"`)
  }
})

/** For these the page needs no code: it says them by their status, or they never reach a person. */
const withoutCode = [
  'the server does not answer to this name; start it with --host and the name',
  'only pages of this server may open this',
  'only administrators may change a whole record',
  'you may change only your own record',
  'you may not execute here',
  'the right to this was withdrawn',
  'a page of another site may not sign in here',
  'commands are for administrators alone: bubblewrap does not run on this server',
  'sign-up needs home folders, or a scope for new users',
  "the folder is the server's own",
  'no program of this machine reaches these files',
  'there is a file already',
  'the file has changed',
  // Of an upload that a kill broke off: it is gone then.
  'the content has its name already',
  'no space is left',
  'something changed since it was copied',
  // The page shows the state, and the questions that are left.
  'the job is in another state',
  'the question was answered already',
  'the id belongs to another job',
  // The page offers only what can be undone, and says why the rest cannot.
  'this was undone already, or something else was done since',
  'more than {{number}} changes cannot be undone at once',
  'it lies on another file system by now',
]

test('what conflicts, is forbidden or finds no room has a code', () => {
  const literals = sources.flatMap((text) => [
    ...text.matchAll(/new Failure\(\s*'(?:conflict|forbidden|full)',\s*(['"])(.+?)\1/g),
  ])
  const known = [...Object.keys(refusalCodes), ...withoutCode]
  const unknown = literals.map(([, , sentence = '']) => sentence).filter((sentence) => !known.includes(sentence))
  assert.deepEqual(unknown, [])
})

test('every code has words, or is said by the page in other ways', () => {
  const saidOtherwise = ['nameTaken', 'systemRefuses', 'readOnlyFileSystem', 'wrongPassword', 'proofNeeded']
  // No form of the page sends what they refuse.
  const neverMet = ['unknownField', 'noYesOrNo', 'noText', 'noTexts', 'administratorsOnly']
  // A text with a number has forms for it.
  const hasWords = (code: string) => [`refusal.${code}`, `refusal.${code}_other`].some((key) => key in english)
  const missing = [...new Set(Object.values(refusalCodes))].filter((code) => !hasWords(code))
  assert.deepEqual(missing.toSorted(), [...saidOtherwise, ...neverMet].toSorted())
})

async function readSources(): Promise<string[]> {
  const texts: string[] = []
  for await (const file of glob('src-server/**/*.ts', { cwd: top })) {
    if (!file.endsWith('contract/refusals.ts')) texts.push(await readFile(join(top, file), 'utf8'))
  }
  return texts
}
