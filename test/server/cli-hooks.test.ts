// `holdall hooks …`, with a running server and without one.
import assert from 'node:assert/strict'
import { type CliPlace, testCommand } from '../support/run-cli.ts'

const commandsIn = ({ stored }: CliPlace) => stored().settings.commands

testCommand('hooks are listed, added and removed', {}, async (place) => {
  const { app, cli, json, isRunning } = place
  await place.edit((draft) => {
    draft.settings = { ...draft.settings, commands: { after_save: ['echo one'], before_sleep: ['echo other'] } }
  })
  const added = await cli('hooks', 'add', 'after_save', 'echo "$FILE" \u001b[2J')
  assert.deepEqual([added.code, added.err], [0, ''])
  assert.equal(added.out, 'Command 2 of after_save is: echo "$FILE" \\u{1b}[2J\nIt runs where the server has --enable-exec.\n')
  assert.equal(
    (await cli('hooks', 'list')).out,
    `EVENT         NUMBER  COMMAND
after_save    1       echo one
after_save    2       echo "$FILE" \\u{1b}[2J
before_sleep  1       echo other
`,
  )
  assert.deepEqual(await json('hooks', 'ls', 'after_save'), [
    { event: 'after_save', number: 1, line: 'echo one' },
    { event: 'after_save', number: 2, line: 'echo "$FILE" \u001b[2J' },
  ])
  assert.equal((await cli('hooks', 'remove', 'after_save', '1')).out, 'Command 1 of after_save is removed: echo one\n')
  assert.deepEqual([commandsIn(place).after_save, commandsIn(place).before_sleep], [['echo "$FILE" \u001b[2J'], ['echo other']])
  if (isRunning) assert.deepEqual(app.events, ['serverSettings', 'serverSettings'])
})

testCommand('hooks of no event, and numbers of none, are refused with what is right', {}, async ({ cli, stored }) => {
  const before = stored()
  await assert.rejects(cli('hooks', 'add', 'after_sav', 'true'), /There is no event "after_sav": did you mean after_save\?/)
  await assert.rejects(cli('hooks', 'list', 'x'), /There is no event "x": they are after_copy, after_delete/)
  await assert.rejects(cli('hooks', 'remove', 'after_save', '0'), /is no number of a command: they count from 1/)
  await assert.rejects(
    cli('hooks', 'add', 'after_save', 'echo', 'x'),
    /"x" is one word too many: write holdall hooks add EVENT LINE/,
  )
  assert.equal((await cli('hooks', 'remove', 'after_save', '1')).err, 'after_save has no command 1: hooks list shows them.\n')
  assert.equal((await cli('hooks', 'add', 'after_save', ' ')).err, 'the command is empty.\n')
  assert.match(
    (await cli('hooks', 'add', 'after_save', 'x'.repeat(4097))).err,
    /commands\.after_save is a list of at most 100 texts/,
  )
  assert.deepEqual(stored(), before)
})
