// A line of the command runner becomes a program and its arguments, and no name becomes a part of either's text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandOf, readHookLine, takesName } from '../../src-server/shell/hook-line.ts'
import { splitLine } from '../../src-server/shell/split-line.ts'

const variables = { FILE: '/srv/$(touch x); id', SCOPE: '/', TRIGGER: 'after_save', USERNAME: '-rf', DESTINATION: '/srv/to' }

test('a line is split as a shell splits it, and nothing else of a shell is done', () => {
  for (const [line, words] of [
    ['a  b\tc', ['a', 'b', 'c']],
    [`'a b' "c d" e\\ f`, ['a b', 'c d', 'e f']],
    [`a'b'"c"\\d`, ['abcd']],
    [`'' ""`, ['', '']],
    [`"a \\" b" 'c " d'`, ['a " b', 'c " d']],
    [`"a\\n\\$"`, ['a\\n$']],
    ['a; b && c | d > e `f` $(g) *', ['a;', 'b', '&&', 'c', '|', 'd', '>', 'e', '`f`', '$(g)', '*']],
    ['', []],
    [' \n ', []],
  ] as const) {
    assert.deepEqual(splitLine(line), words, line)
  }
})

test('a quote that is not closed is an error', () => {
  for (const line of [`'a`, `"a`, `a 'b c`, `"a\\"`, `"a\\`, `a"`]) assert.throws(() => splitLine(line), SyntaxError, line)
})

test('variables are replaced after the line was split, in whole arguments', () => {
  const { program, args } = commandOf(`cp "$FILE" $\{DESTINATION} --to=$FILE $FILE.bak $HOME $FILES`, [], variables)
  assert.equal(program, 'cp')
  assert.deepEqual(args, [variables.FILE, '/srv/to', `--to=${variables.FILE}`, `${variables.FILE}.bak`, '$HOME', '$FILES'])
})

test('the text of a program is left as it was written: it reads the variables from its environment', () => {
  for (const line of [
    'sh -c "rm $FILE"',
    `bash -lc 'x $FILE'`,
    'sh -c "$FILE"',
    '/bin/sh -ec $FILE',
    'perl -e "print <$FILE>"',
  ]) {
    const { args } = commandOf(line, [], variables)
    assert.ok(!args.join(' ').includes('touch'), line)
    assert.ok(args.some((arg) => arg.includes('$FILE')))
  }
})

test('the name of the program is never replaced', () => {
  assert.equal(commandOf('$FILE a', [], variables).program, '$FILE')
})

test('a value that begins with a dash is no argument of its own', () => {
  assert.throws(() => commandOf('rm $USERNAME', [], variables), SyntaxError)
  assert.deepEqual(commandOf('rm --name=$USERNAME', [], variables).args, ['--name=-rf'])
})

test('a value that makes a segment `..` of a path refuses the line, and a line may have one itself', () => {
  for (const [line, USERNAME] of [
    ['cp x /backup/$USERNAME/x', '..'],
    ['cp x --to=$USERNAME', '..'],
    ['cp x --to=$USERNAME', 'a/../../b'],
    ['cp x $USERNAME', '../up'],
    ['cp x /backup/.$USERNAME', '.'],
    ['cp x $' + '{USERNAME}./x', '.'],
  ] as const) {
    assert.throws(() => commandOf(line, [], { ...variables, USERNAME }), /lead/, line)
  }
  for (const [line, USERNAME, argument] of [
    ['cp ../$USERNAME/..', 'ann', '../ann/..'],
    ['cp /backup/$USERNAME', '...', '/backup/...'],
    ['cp /backup/$USERNAME', 'a..b', '/backup/a..b'],
    ['cp $USERNAME', 'x=..', 'x=..'],
  ] as const) {
    assert.deepEqual(commandOf(line, [], { ...variables, USERNAME }).args, [argument])
  }
})

test('with a shell the line is its last argument, as it was written', () => {
  assert.deepEqual(commandOf(`echo "$FILE'`, ['sh', '-c'], variables), { program: 'sh', args: ['-c', `echo "$FILE'`] })
})

test('a line without a program is an error, with a shell too', () => {
  for (const shell of [[], ['sh', '-c']]) assert.throws(() => commandOf('', shell, variables), SyntaxError)
})

test('a trailing & asks for the background', () => {
  assert.deepEqual(readHookLine(' sleep 1 & '), { text: 'sleep 1', isBackground: true })
  assert.deepEqual(readHookLine('a & b'), { text: 'a & b', isBackground: false })
})

test('the name of a file that a stranger has chosen is one argument of a text for a shell, or none', () => {
  const whole = [
    'tar rf x.tar "$FILE"',
    `x "$\{FILE}" 2>&1`,
    '"$FILE"',
    'x <"$FILE" | y; z "$FILE"; (w "$FILE")',
    `x 'a b' "c d" "$FILE" "e"`,
    'x $FILES $USERNAME PROFILE "$DESTINATION"',
    'x',
  ]
  const split = [
    'tar rf x.tar $FILE',
    `x $\{FILE}`,
    'x "a $FILE"',
    'x "$FILE".bak',
    'x --to="$FILE"',
    'x "a "$FILE" b"',
    'x "a"$FILE"b"',
    `x '"$FILE"'`,
    `sh -c 'x "$FILE"'`,
    'f="$FILE"; x $f',
    'x $(basename "$FILE")',
    'x `basename "$FILE"`',
    'x \\"$FILE" y"',
    'x # "\ny "a "$FILE" b"',
    `x "$\{FILE%.txt}"`,
    `x "$\{FILE:-"$FILE"}"`,
    'printenv FILE | xargs x',
    'x %FILE%',
    'x $env:FILE',
    'x "$FILE',
    '(( "$FILE" ))',
  ]
  for (const line of whole) assert.equal(takesName(line, ['sh', '-c']), false, line)
  // The name gets another name, or is read as code.
  for (const line of [
    'for F in "$FILE"; do cmd $F; done',
    'set -- "$FILE"; cmd $1',
    'set -- "$FILE"; cmd $@',
    'f() { cmd $1; }; f "$FILE"',
    'read -r F <<< "$FILE"; touch "$F"',
    'eval echo "$FILE"',
    'trap "$FILE" EXIT',
    '. "$FILE"',
    'sh -c "$FILE"',
    `sh -c 'cmd $1' _ "$FILE"`,
    `sh -c 'eval "$1"' _ "$FILE"`,
    'printf x "$FILE" | xargs rm',
    `for F in "$FILE"; do echo '"' $F '"'; done`,
  ])
    assert.equal(takesName(line, ['sh', '-c']), true, line)
  for (const line of ['set -- "$FILE"; cmd "$1"', 'if [ -f "$FILE" ]; then scan "$FILE" "$SCOPE"; fi'])
    assert.equal(takesName(line, ['sh', '-c']), false, line)
  for (const line of split) assert.equal(takesName(line, ['sh', '-c']), true, line)
})

test('for the shells of Windows the name is in no text, in letters of either case', () => {
  const lines = [
    'cmd /c echo %FILE%',
    'cmd.exe /c "del %file%"',
    'cmd /v:on /c echo !FILE!',
    'cmd /v:on /c "echo !File!"',
    'cmd /c echo %FILE:~0,9%',
    'pwsh -Command "rm $env:FILE"',
    'powershell -Command rm $Env:file',
    `powershell -Command "rm $\{env:FILE}"`,
    'powershell -Command "iex (gi Env:FILE).Value"',
    'pwsh -Command iex (gi env:file).Value',
  ]
  for (const line of lines) {
    assert.equal(takesName(line, []), true, line)
    assert.equal(takesName(line, ['cmd', '/c']), true, line)
  }
  for (const line of ['cmd /c echo %USERNAME%', 'pwsh -Command "rm $env:PROFILE"', 'x 100%', 'x !y %files%'])
    assert.equal(takesName(line, []), false, line)
})

test('without a shell the name is no argument, and one argument of a text for a shell', () => {
  for (const line of ['x', 'printenv FILE', 'x $USERNAME', `sh -c 'rm "$FILE"'`, `env sh -c 'rm "$FILE"'`, 'sh -c "x'])
    assert.equal(takesName(line, []), false, line)
  for (const line of ['x $FILE', `x --to=$\{FILE}`, `sh -c 'rm $FILE'`, `env sh -c 'rm $FILE'`, 'sh -c $FILE', `sh -c x $FILE`])
    assert.equal(takesName(line, []), true, line)
})
