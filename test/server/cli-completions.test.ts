// `holdall completions …`.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { optionRows } from '../../src-server/options/option-table.ts'
import { readOptions } from '../../src-server/options/read-options.ts'
import { flagsOf, subcommandRows } from '../../src-server/options/subcommands.ts'
import { temporaryFolder } from '../support/start-state.ts'

function scriptFor(shell: string): string {
  const argv = ['completions', shell]
  const start = readOptions({ argv, env: {}, cwd: '/', location: { executable: '/holdall' }, version: '1.0.0' })
  assert.ok(start.kind === 'print')
  return start.text
}

test('bash completes commands, their second words and their options', (t) => {
  const file = join(temporaryFolder(t), 'completions')
  writeFileSync(file, scriptFor('bash'))
  const complete = (...words: string[]) => {
    const line = `. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _holdall; printf '%s ' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', line, 'bash', file, 'holdall', ...words], { encoding: 'utf8' })
      .trim()
      .split(' ')
  }
  assert.deepEqual(complete('us'), ['users'])
  assert.deepEqual(complete('users', 'r'), ['rename', 'remove'])
  assert.deepEqual(complete('users', 'passwd', '--r'), ['--random', '--root'])
  assert.deepEqual(complete('shares', 'list', '--us'), ['--user'])
  assert.deepEqual(complete('completions', ''), ['bash', 'zsh', 'fish'])
  assert.deepEqual(complete('help', 'ke'), ['keys'])
  assert.deepEqual(complete('--self'), ['--self-test'])
  assert.deepEqual(complete('backup', '--js'), ['--json'])
  // Names of files are left to bash.
  assert.deepEqual(complete('users', 'import', 'x'), [''])
})

test('the scripts hold all commands and options', () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = scriptFor(shell)
    for (const row of subcommandRows)
      for (const word of row.name.split(' ')) assert.match(script, new RegExp(`\\b${word}\\b`), `${shell} ${row.name}`)
    for (const { name } of [...optionRows, ...subcommandRows.flatMap(flagsOf)])
      assert.ok(script.includes(shell === 'fish' ? ` -l ${name} ` : `--${name}`), `${shell} --${name}`)
  }
  const quotes = (script: string) => script.replaceAll("'\\''", '').replaceAll("\\'", '').split("'").length - 1
  for (const shell of ['bash', 'zsh', 'fish'])
    for (const line of scriptFor(shell).split('\n')) assert.equal(quotes(line) % 2, 0, line)
  assert.match(scriptFor('zsh'), /^#compdef holdall\n/)
  assert.throws(() => scriptFor('tcsh'), /There are no completions for "tcsh": they are for bash, zsh, fish\./)
})
