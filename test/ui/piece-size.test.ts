import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setItem } from '../../src-ui/core/storage.ts'
import { PieceSize } from '../../src-ui/sending/piece-size.ts'
import { hooksOf } from './hooks.ts'

const mebibyte = 1 << 20
const { beforeEach } = hooksOf(import.meta.filename)
beforeEach(() => setItem('upload.piece', undefined))

test('a piece that is refused is halved, down to 1 MiB, and the browser remembers it', () => {
  const pieces = new PieceSize()
  assert.equal(pieces.value, 64 * mebibyte)
  for (let size = 32; size >= 1; size /= 2) {
    assert.equal(pieces.refused(pieces.value), true)
    assert.equal(pieces.value, size * mebibyte)
  }
  assert.deepEqual([pieces.refused(pieces.value), pieces.value, new PieceSize().value], [false, mebibyte, mebibyte])
})

test('what breaks off makes pieces smaller, and what arrives larger again, up to what nobody has refused', () => {
  const pieces = new PieceSize()
  pieces.refused(pieces.value)
  pieces.wentThrough()
  for (let times = 0; times < 5; times++) pieces.cut(pieces.value)
  assert.equal(pieces.value, mebibyte)
  for (let times = 0; times < 100; times++) pieces.wentThrough()
  assert.deepEqual([pieces.value, new PieceSize().value], [32 * mebibyte, 32 * mebibyte])
})

test('where nothing ever arrives, three pieces that break off count as refused', () => {
  const pieces = new PieceSize()
  for (let times = 0; times < 3; times++) pieces.cut(pieces.value)
  assert.deepEqual([pieces.value, new PieceSize().value], [8 * mebibyte, 8 * mebibyte])
})

test('several pieces of one size that break off or are refused at once are one sign', () => {
  const pieces = new PieceSize()
  const { value } = pieces
  for (let times = 0; times < 5; times++) pieces.cut(value)
  assert.deepEqual([pieces.value, new PieceSize().value], [32 * mebibyte, 64 * mebibyte])
  for (let times = 0; times < 5; times++) assert.equal(pieces.refused(32 * mebibyte), true)
  assert.deepEqual([pieces.value, new PieceSize().value], [16 * mebibyte, 16 * mebibyte])
})

test('what the browser has kept and is no size is not used', () => {
  for (const kept of ['', 'x', '1', '1e12']) {
    setItem('upload.piece', kept)
    assert.equal(new PieceSize().value, 64 * mebibyte)
  }
})
