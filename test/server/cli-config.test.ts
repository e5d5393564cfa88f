// `holdall config …`, with a running server and without one.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type CliPlace, testCommand } from '../support/run-cli.ts'
import { deny } from '../support/start-app.ts'

const settings = ({ stored }: CliPlace) => stored().settings

testCommand('config show lists the settings, and shows one', { rules: [deny('/a')] }, async (place) => {
  const { cli, cliWith, json } = place
  const { code, out } = await cli('config', 'show')
  assert.equal(code, 0)
  for (const line of [
    /^NAME +VALUE\n/,
    /\nsignup +no\n/,
    /\ndefaults\.perm\.share +yes\n/,
    /\ndefaults\.sorting\.by +name\n/,
    /\nrules +1 \(/,
  ])
    assert.match(out, line)
  assert.deepEqual((await json('config', 'cat')) as object, { ...((await place.json('config', 'export')) as object) })
  const { keys } = place.stored()
  assert.ok(keys.every(({ secret }) => !out.includes(secret)))
  await place.edit((draft) => {
    const { branding } = draft.settings
    draft.settings = { ...draft.settings, branding: { ...branding, name: '\u001b[2J', css: 'a {}\nb {}' } }
  })
  assert.equal((await cli('config', 'show', 'branding.name')).out, '\\u{1b}[2J\n')
  assert.equal((await cliWith({ isTerminal: false }, 'config', 'show', 'branding.css')).out, 'a {}\nb {}\n')
  assert.equal(await json('config', 'show', 'trash.days'), 30)
  await assert.rejects(cli('config', 'show', 'brandin.name'), /There is no setting "brandin.name": did you mean branding\.name\?/)
})

testCommand('config set makes no commands of the words of one', {}, async (place) => {
  const { cli } = place
  const before = settings(place).commands
  await assert.rejects(
    cli('config', 'set', 'commands.after_upload', 'cp "$FILE" /backup'),
    /commands\.after_upload holds whole command lines: holdall hooks add after_upload LINE adds one, or give them as JSON\./,
  )
  assert.deepEqual(settings(place).commands, before)
})

testCommand('config set changes one setting, with the checks of the page', { users: { ann: {} } }, async (place) => {
  const { app, cli, isRunning, stored } = place
  const before = settings(place)
  for (const [name, value, out] of [
    ['branding.name', 'Our files', 'branding.name is Our files\n'],
    ['branding.name', '', 'branding.name is empty\n'],
    ['signup', 'yes', 'signup is yes\n'],
    ['trash.days', '7', 'trash.days is 7\n'],
    ['defaults.perm.share', 'no', 'defaults.perm.share is no\n'],
    ['defaults.viewMode', 'list', 'defaults.viewMode is list\n'],
    ['defaults.sorting.by', 'size', 'defaults.sorting.by is size\n'],
    ['shell', 'sh -c', 'shell is ["sh","-c"]\n'],
    ['rules', '[{"allow":false,"regex":false,"path":"/a"}]', /^rules is \[\{"allow":false/],
    ['commands.after_save', '["echo a b"]', 'commands.after_save is ["echo a b"]\n'],
    ['commands.before_save', '["true"]', 'commands.before_save is ["true"]\n'],
  ] as const) {
    const ran = await cli('config', 'set', name, value)
    assert.equal(ran.code, 0, ran.err)
    if (typeof out === 'string') assert.equal(ran.out, out)
    else assert.match(ran.out, out)
  }
  const { defaults, trash, commands } = settings(place)
  assert.deepEqual(defaults, {
    ...before.defaults,
    perm: { ...before.defaults.perm, share: false },
    viewMode: 'list',
    sorting: { by: 'size', asc: true },
  })
  assert.deepEqual(
    [trash, settings(place).rules, settings(place).shell],
    [{ ...before.trash, days: 7 }, [deny('/a')], ['sh', '-c']],
  )
  assert.deepEqual([commands.after_save, commands.before_save], [['echo a b'], ['true']])
  if (isRunning) assert.deepEqual(new Set(app.events), new Set(['serverSettings']))
  const kept = stored()
  for (const [name, value, sentence] of [
    ['trash.days', '0', 'trash.days is a whole number from 1 to 3650.\n'],
    ['branding.color', 'red', 'branding.color is empty or a colour such as #2979ff.\n'],
    ['branding.files', '/does/not/exist', 'branding.files is not the absolute path of a folder.\n'],
    ['branding.files', app.root, /^branding\.files is a folder in the served one/],
    ['rules', '[{"allow":false,"regex":true,"regexp":{"raw":"("}}]', 'rules has "(", which is no expression of RE2.\n'],
  ] as const) {
    const refused = await cli('config', 'set', name, value)
    assert.equal(refused.code, 1)
    assert.match(refused.err, typeof sentence === 'string' ? new RegExp(`^${RegExp.escape(sentence)}$`) : sentence)
  }
  await assert.rejects(cli('config', 'set', 'signup', 'perhaps'), /signup is yes or no, and not "perhaps"\./)
  await assert.rejects(cli('config', 'set', 'trash.days', 'many'), /trash\.days is a whole number, and not "many"\./)
  await assert.rejects(
    cli('config', 'set', 'trash', 'on'),
    /trash holds several settings: give JSON, or name one .* trash\.isOn\./,
  )
  await assert.rejects(cli('config', 'set', 'keys', '[]'), /There is no setting "keys": holdall config show lists them\./)
  assert.deepEqual(stored(), kept)
})

testCommand('config export has all that config import needs', { rules: [deny('/a')] }, async (place) => {
  const { cli, cliWith } = place
  const { written, out } = await cli('config', 'export', 'settings.json')
  assert.equal(out, 'The settings are in settings.json.\n')
  const text = written['settings.json'] ?? ''
  assert.equal((await cli('config', 'export')).out, text)
  for (const argv of [
    ['signup', 'yes'],
    ['branding.name', 'x'],
    ['rules', '[]'],
  ] as const)
    assert.equal((await cli('config', 'set', ...argv)).code, 0)
  const imported = await cliWith({ input: text }, 'config', 'import', '-')
  assert.deepEqual([imported.code, imported.out], [0, 'Changed: signup, rules, branding.name\n'])
  assert.equal((await cli('config', 'export')).out, text)
  assert.equal((await cliWith({ input: text }, 'config', 'import', '-')).out, 'All settings were so already.\n')
  for (const [wrong, sentence] of [
    ['[]', /the file must hold the settings that config export writes/],
    ['{"settings":{},"server":{}}', /export of File Browser: holdall import FILE --root DIR/],
    ['{"signup":true,"branding":{"nam":"x"}}', /^branding\."nam" is no setting\.\n$/],
  ] as const) {
    const refused = await cliWith({ input: wrong }, 'config', 'import', '-')
    assert.equal(refused.code, 1)
    assert.match(refused.err, sentence)
  }
  await assert.rejects(cliWith({ input: '{' }, 'config', 'import', '-'), /the standard input is not JSON/)
  assert.equal(settings(place).signup, false)
})

testCommand('which folder is served must be known for a folder of logos', {}, async ({ app, cliWith, isRunning }) => {
  const server = ['--database', join(app.folder, 'state.json')]
  const { code, err } = await cliWith({ server }, 'config', 'set', 'branding.files', app.folder)
  if (isRunning) assert.deepEqual([code, err], [0, ''])
  else assert.deepEqual([code, err], [1, 'this needs the served folder: name it with --root.\n'])
})
