import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getItem, setItem } from '../../src-ui/core/storage.ts'
import { CommandHistory } from '../../src-ui/shell/history.ts'

test('the history goes back to the oldest line, and forth to what was being written', () => {
  const history = new CommandHistory(101)
  for (const line of ['one', 'two', 'three']) history.add(line)
  assert.deepEqual([history.previous('draft'), history.previous(''), history.previous('')], ['three', 'two', 'one'])
  assert.equal(history.previous(''), undefined)
  assert.deepEqual([history.next(), history.next(), history.next(), history.next()], ['two', 'three', 'draft', undefined])
})

test('lines that begin with a space, empty lines and repetitions are not kept', () => {
  const history = new CommandHistory(102)
  for (const line of ['one', ' secret', '', '   ', 'one']) history.add(line)
  assert.deepEqual([history.previous(''), history.previous('')], ['one', undefined])
})

test('each person has a history of their own, which another tab may have continued', () => {
  const [ann, bob] = [new CommandHistory(103), new CommandHistory(104)]
  ann.add('one')
  new CommandHistory(103).add('two')
  assert.equal(bob.previous(''), undefined)
  assert.deepEqual([ann.previous(''), ann.previous('')], ['two', 'one'])
})

test('at most 200 lines and 50,000 characters are kept, the newest', () => {
  const history = new CommandHistory(105)
  for (let at = 0; at < 250; at += 1) history.add(`echo ${at}`)
  const kept = () => JSON.parse(getItem('shellHistory.105') ?? '') as string[]
  assert.equal(kept().length, 200)
  for (let at = 0; at < 10; at += 1) history.add(`${at}`.repeat(8000))
  assert.ok(kept().join('').length <= 50_000)
  assert.equal(kept().at(-1), '9'.repeat(8000))
})

test('what is no history in the storage is none', () => {
  for (const broken of ['{', '{"a":1}', '[1,null,"ls"]']) {
    setItem('shellHistory.106', broken)
    const history = new CommandHistory(106)
    assert.equal(history.previous(''), broken.includes('ls') ? 'ls' : undefined)
  }
})
