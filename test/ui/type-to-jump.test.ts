import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jumpTarget, TypedLetters, typeToJumpSlice, typingPause } from '../../src-ui/listing/type-to-jump.ts'
import { orderOfNames } from './entries.ts'
import { press } from './key-press.ts'
import { workspace } from './workspace.ts'

const typeToJump = workspace.use(typeToJumpSlice)
const order = orderOfNames('Apple', 'apricot', 'Banana', 'berry', 'Äpfel', 'zoo', '7 wonders')
const jump = (typed: string, focus?: string) => jumpTarget(order, focus && `/${focus}`, typed)?.name

test('typing letters jumps to the name that begins with them, ignoring case', () => {
  assert.equal(jump('b'), 'Banana')
  assert.equal(jump('be'), 'berry')
  assert.equal(jump('APR'), 'apricot')
  assert.equal(jump('7 w'), '7 wonders')
  assert.equal(jump('q'), undefined)
})

test('the same letter again jumps to the next match, and from the last to the first', () => {
  assert.equal(jump('a', 'Apple'), 'apricot')
  assert.equal(jump('aa', 'apricot'), 'Apple')
  assert.equal(jump('z', 'zoo'), 'zoo')
})

test('more letters stay at the entry that already matches', () => {
  assert.equal(jump('ap', 'apricot'), 'apricot')
  assert.equal(jump('app', 'apricot'), 'Apple')
})

test('a decomposed letter matches its composed form', () => {
  assert.equal(jump('A\u0308p'), 'Äpfel')
})

test('letters typed within a second belong together', () => {
  let now = 0
  const letters = new TypedLetters(() => now)
  assert.equal(letters.isOpen, false)
  assert.equal(letters.add('a'), 'a')
  now += typingPause - 1
  assert.equal(letters.add('b'), 'ab')
  now += typingPause
  assert.equal(letters.isOpen, false)
  assert.equal(letters.add('c'), 'c')
})

test('a letter is one character without Ctrl or Alt; a space is one only between others', () => {
  assert.equal(typeToJump.handles(press('a')), true)
  assert.equal(typeToJump.handles(press('A', { shiftKey: true })), true)
  assert.equal(typeToJump.handles(press('😀')), true)
  assert.equal(typeToJump.handles(press('a', { ctrlKey: true })), false)
  assert.equal(typeToJump.handles(press('Enter')), false)
  assert.equal(typeToJump.handles(press(' ')), false)
})
