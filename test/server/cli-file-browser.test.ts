// Commands as File Browser spells them: they are understood, or answered with what to write here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOptions } from '../../src-server/options/read-options.ts'
import { testCommand } from '../support/run-cli.ts'

const read = (line: string) =>
  readOptions({ argv: line.split(' '), env: {}, cwd: '/', location: { executable: '/holdall' }, version: '1.0.0' })

test('what is the same here is understood, with a line that names ours', () => {
  for (const [line, name, args] of [
    ['users ls', 'users list', []],
    ['users find ann', 'users list', ['ann']],
    ['users rm ann', 'users remove', ['ann']],
    ['config cat', 'config show', []],
    ['cmds ls', 'hooks list', []],
    ['cmds add after_save true', 'hooks add', ['after_save', 'true']],
    ['rules ls', 'rules list', []],
  ] as const) {
    const start = read(line)
    assert.ok(start.kind === 'command', line)
    assert.deepEqual([start.request.name, start.request.args], [name, args])
    const typed = line.split(' ').slice(0, 2).join(' ')
    assert.equal(start.note, `"${typed}" is "holdall ${name}" here.`)
  }
  assert.match((read('cmds') as { text: string }).text, /hooks add EVENT LINE/)
})

test('what is written otherwise here is answered with how', () => {
  for (const [line, sentence] of [
    ['config init', 'A state is made by the first start: write holdall --root DIR.'],
    ['hash secret', /^No hash is needed here: holdall users passwd NAME/],
    ['version', 'Write holdall --version.'],
    // The first one would be another one than there.
    ['rules rm 1', /^Rules are counted from 1 here, and not from 0: .*holdall rules remove NUMBER/],
    ['cmds rm after_save 1', /^Commands are counted from 1 here, and not from 0: .*holdall hooks remove EVENT NUMBER/],
    ['upgrade', /^The state is brought up to date at each start/],
    ['users add ann secret', /^A password is no argument/],
    ['users update ann --password secret', /^A password is no argument/],
    ['users update ann --username anna', 'There is no option --username. Write holdall users rename NAME NEW.'],
    [
      'users update ann --perm.admin',
      'There is no option --perm.admin. Write --perm +admin to give it, and --perm=-admin to take it away.',
    ],
    ['users add ann --viewMode list', 'There is no option --viewMode. Write --view.'],
    ['users add ann --lockPassword', 'There is no option --lockPassword. Write --lock-password.'],
    ['rules add /a --username ann', /^There is no option --username\. Write --user NAME/],
    ['rules ls -i 1', /^There is no option -i\. Write --user NAME/],
    ['cmds ls --event after_save', 'There is no option --event. Write holdall hooks list EVENT.'],
    ['config set --branding.name x', /write holdall config set branding\.name VALUE \(holdall config show lists them\)\.$/],
    ['config set --perm.share=false', /write holdall config set defaults\.perm\.share VALUE/],
    ['config set --signup', /write holdall config set signup VALUE/],
    ['cmds remove after_save 1', /^There is no command "cmds remove": holdall help cmds lists them\.$/],
  ] as const) {
    assert.throws(
      () => read(line),
      (error) => {
        assert.ok(error instanceof Error && error.name === 'StartupError', line)
        if (typeof sentence === 'string') assert.equal(error.message, sentence)
        else assert.match(error.message, sentence)
        assert.doesNotMatch(error.message, /secret/)
        return true
      },
    )
  }
})

testCommand('a command with a spelling of File Browser does what ours does', {}, async ({ cli }) => {
  const ours = await cli('users', 'list')
  const other = await cli('users', 'ls')
  assert.deepEqual([other.code, other.out], [ours.code, ours.out])
  assert.equal(other.err, '"users ls" is "holdall users list" here.\n')
})
