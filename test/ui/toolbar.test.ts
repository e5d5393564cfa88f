import assert from 'node:assert/strict'
import { test } from 'node:test'
import japanese from '../../locales/ja.json' with { type: 'json' }
import { english, locale } from '../../src-ui/i18n/locale.ts'
import { joinSentences } from '../../src-ui/i18n/sentences.ts'
import { stepOf } from '../../src-ui/ui/use-toolbar.ts'
import { hooksOf } from './hooks.ts'

const { afterEach } = hooksOf(import.meta.filename)

afterEach(() => {
  locale.value = english
})

test('the arrow keys go round a toolbar, Home and End to its ends, and other keys nowhere', () => {
  assert.deepEqual(
    ['ArrowRight', 'ArrowLeft', 'Home', 'End', 'ArrowDown', 'Enter'].map((key) => stepOf(key, 3, 4)),
    [0, 2, 0, 3, undefined, undefined],
  )
})

test('in a language that is written from right to left the arrow keys are mirrored', () => {
  locale.value = { code: 'ar', dir: 'rtl', words: {} }
  assert.deepEqual([stepOf('ArrowRight', 1, 4), stepOf('ArrowLeft', 1, 4), stepOf('Home', 1, 4)], [0, 2, 0])
})

test('sentences are joined with a space, but not in Japanese and Chinese', () => {
  assert.equal(joinSentences('One.', false, undefined, 'Two.'), 'One. Two.')
  locale.value = { code: 'ja', dir: 'ltr', words: japanese }
  assert.equal(joinSentences('一。', '二。'), '一。二。')
})
