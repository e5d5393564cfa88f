// Names that look like code reach commands as text: with a shell and without one, with real processes.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { hookFolder, startWithHooks } from '../support/hook-folder.ts'
import { nastyNames } from '../support/nasty-names.ts'

/** Each would make a file named `x…` if any part of it ran. */
function hostileNames(marker: string): string[] {
  const file = marker.replaceAll('/', '∕')
  const names = [
    `$(touch ${file}1)`,
    `\`touch ${file}2\``,
    `; touch ${file}3`,
    `a\ntouch ${file}4`,
    `-rf`,
    `--help`,
    `| touch ${file}5 #`,
    `&& touch ${file}6`,
    `'; touch ${file}7; '`,
    `"; touch ${file}8; "`,
    `$FILE`,
    `\${USERNAME}`,
    `> ${file}9`,
    `a b`,
    `*`,
    ...nastyNames,
  ]
  return [...new Set(names)]
}

/** Uploads every name with these commands. @returns what the commands recorded, and what else they made */
async function tried(t: TestContext, lineFor: (record: string) => string, shell: readonly string[]) {
  const place = hookFolder(t)
  const before = process.cwd()
  process.chdir(place.folder)
  t.after(() => process.chdir(before))
  place.write('bin/record', `printf '%s\\0' "\${1-$FILE}" >> ${place.folder}/bin/log`)
  const app = await startWithHooks(t, () => ({ shell, commands: { after_upload: [lineFor(`sh ${place.folder}/bin/record`)] } }))
  const ann = await app.as('ann')
  const names = hostileNames('x')
  for (const name of names) assert.equal((await ann.upload(`/${name}`, '1')).status, 200, name)
  const given = (place.read('bin/log') ?? '').split('\0').slice(0, -1)
  return { given, wanted: names.map((name) => `${app.root}/${name}`), made: place.names() }
}

for (const [how, shell, lineFor] of [
  ['as an argument, without a shell', [], (record: string) => `${record} $FILE`],
  ['in quotes, without a shell', [], (record: string) => `${record} "\${FILE}"`],
  ['in the text of a program', [], (record: string) => `sh -c '${record} "$FILE"'`],
  ['in the environment alone', [], (record: string) => record],
  ['to the shell of the settings', ['sh', '-c'], (record: string) => `${record} "$FILE"`],
] as const) {
  test(`hostile names reach a command ${how}, whole, and none of them runs`, async (t) => {
    const { given, wanted, made } = await tried(t, lineFor, shell)
    assert.deepEqual(given, wanted)
    assert.deepEqual(made, [])
  })
}
