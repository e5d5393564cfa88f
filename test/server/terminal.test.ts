import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { systemClock } from '../../src-server/base/clock.ts'
import { openTerminal } from '../../src-server/shell/terminal.ts'
import { until } from '../support/until.ts'

test('what a program wrote before its end is not lost while the terminal is paused', async () => {
  const terminal = await openTerminal({
    command: '/bin/sh',
    args: ['-c', 'stty -echo; echo begin; read line; echo the end; exit 3'],
    folder: tmpdir(),
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    clock: systemClock,
  })
  let output = ''
  terminal.onOutput((text) => {
    output += text
  })
  await until(() => output.includes('begin'), 'the program has begun')
  terminal.pause()
  terminal.write('\n')
  assert.deepEqual(await terminal.ended, { code: 3 })
  assert.match(output, /the end/)
})
