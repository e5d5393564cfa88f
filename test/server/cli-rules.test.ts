// `holdall rules …`, with a running server and without one.
import assert from 'node:assert/strict'
import type { Rule } from '../../src-server/access/rules.ts'
import { type CliPlace, testCommand } from '../support/run-cli.ts'
import { allow, deny } from '../support/start-app.ts'

const expression = (raw: string): Rule => ({ allow: false, path: '', regex: true, regexp: { raw } })

const setup = {
  users: { ann: { rules: [allow('/a/b'), expression('\\.git$')] }, bob: {} },
  rules: [deny('/a')],
  files: { 'a/x.txt': 'x', 'c/y.txt': 'y' },
}

const ofUser = ({ stored }: CliPlace, name: string) => stored().users.find(({ username }) => username === name)?.rules

testCommand('rules list shows the global rules, and those of a user', setup, async ({ cli, json }) => {
  assert.deepEqual((await cli('rules', 'list')).out, 'NUMBER  DOES  TO    WHAT  PROBLEM\n1       deny  path  /a\n')
  assert.equal(
    (await cli('rules', 'ls', '--user', 'ann')).out,
    'NUMBER  DOES   TO          WHAT    PROBLEM\n1       allow  path        /a/b\n2       deny   expression  \\.git$\n',
  )
  assert.deepEqual(await json('rules', 'list', '--user', 'ann'), [allow('/a/b'), expression('\\.git$')])
  assert.equal((await cli('rules', 'list', '--user', 'carl')).err, 'there is no user "carl".\n')
})

testCommand('rules add adds a rule that decides at once', setup, async (place) => {
  const { app, cli, isRunning, stored } = place
  const bob = isRunning ? await app.as('bob') : undefined
  const statusOf = async (path: string) => (await bob?.ask('GET', `/api/resources${path}`))?.status
  if (bob) assert.deepEqual([await statusOf('/a/x.txt'), await statusOf('/c/y.txt')], [403, 200])
  const { code, out } = await cli('rules', 'add', 'c/')
  assert.deepEqual([code, out], [0, 'Global rule 2 is: deny path /c\n'])
  assert.equal((await cli('rules', 'add', '/a', '--allow', '--user', 'bob')).out, 'Rule 1 of bob is: allow path /a\n')
  assert.equal((await cli('rules', 'add', '^/d', '--regex', '--user', 'bob')).out, 'Rule 2 of bob is: deny expression ^/d\n')
  assert.deepEqual(
    [stored().settings.rules, ofUser(place, 'bob')],
    [
      [deny('/a'), deny('/c')],
      [allow('/a'), expression('^/d')],
    ],
  )
  if (bob) assert.deepEqual([await statusOf('/a/x.txt'), await statusOf('/c/y.txt')], [200, 403])
  if (bob) assert.deepEqual(app.events.slice(0, 3), ['serverSettings', 'user', 'user'])
  for (const [argv, sentence] of [
    [['/x/../y'], 'a path must not contain "..".\n'],
    [[''], 'a rule needs a path, such as /secret; / is everything.\n'],
    [['.'], 'a rule needs a path, such as /secret; / is everything.\n'],
    [['(', '--regex'], 'rules has "(", which is no expression of RE2.\n'],
    [['/x', '--user', 'carl'], 'there is no user "carl".\n'],
  ] as const) {
    const refused = await cli('rules', 'add', ...argv)
    assert.deepEqual([refused.code, refused.err], [1, sentence])
  }
  assert.equal(stored().settings.rules.length, 2)
})

testCommand('rules that are added at once are all there', setup, async (place) => {
  const { cli, isRunning, stored } = place
  if (!isRunning) return
  const paths = ['/q', '/r', '/s', '/t']
  const added = await Promise.all(
    paths.flatMap((path) => [cli('rules', 'add', path), cli('rules', 'add', path, '--user', 'bob')]),
  )
  assert.deepEqual(new Set(added.map(({ code }) => code)), new Set([0]))
  const sorted = (rules: readonly Rule[] = []) => rules.map(({ path }) => path).sort()
  assert.deepEqual([sorted(stored().settings.rules), sorted(ofUser(place, 'bob'))], [['/a', ...paths], paths])
})

testCommand('rules remove removes one by its number', setup, async (place) => {
  const { cli, stored } = place
  const { code, out } = await cli('rules', 'remove', '1', '--user', 'ann')
  assert.deepEqual([code, out], [0, 'Rule 1 of ann is removed: allow path /a/b\n'])
  assert.deepEqual(ofUser(place, 'ann'), [expression('\\.git$')])
  assert.equal((await cli('rules', 'remove', '2')).err, 'there is no rule 2: rules list shows them.\n')
  for (const wrong of ['0', 'a', '1.5'])
    await assert.rejects(cli('rules', 'remove', wrong), /is no number of a rule: they count from 1, as holdall rules list shows/)
  assert.deepEqual(stored().settings.rules, [deny('/a')])
  assert.equal((await cli('rules', 'remove', '1')).out, 'Global rule 1 is removed: deny path /a\n')
  assert.deepEqual(stored().settings.rules, [])
})

testCommand('rules that cannot be applied are named, and removed one by one', setup, async (place) => {
  const { cli, edit, stored } = place
  await edit((draft) => {
    draft.settings = { ...draft.settings, rules: [expression('('), deny('/a'), deny('/../b')] }
  })
  assert.match(
    (await cli('rules', 'list')).out,
    /\n1 +deny +expression +\( .*\n2 +deny +path +\/a\n3 .*"\/\.\.\/b" is no path\n$/,
  )
  const tested = await cli('rules', 'test', '/c')
  assert.equal(tested.code, 1)
  assert.match(tested.err, /: until it is corrected the rules decide nothing\.\n$/)
  assert.equal((await cli('rules', 'add', '/d')).err, 'rules has "(", which is no expression of RE2.\n')
  assert.equal((await cli('rules', 'remove', '1')).code, 0)
  assert.equal((await cli('rules', 'remove', '2')).code, 0)
  assert.deepEqual(stored().settings.rules, [deny('/a')])
})

testCommand('rules test says whether a path is allowed, and by which rule', setup, async ({ cli, json }) => {
  const say = async (...argv: string[]) => (await cli('rules', 'test', ...argv)).out
  assert.equal(await say('/a/b/c'), '/a/b/c is denied: global rule 1, deny path /a\n')
  assert.equal(await say('/a/b/c', '--user', 'ann'), '/a/b/c is allowed: rule 1 of ann, allow path /a/b\n')
  assert.equal(
    await say('a/b/.git/hooks', '--user', 'ann'),
    '/a/b/.git/hooks is denied: rule 2 of ann, deny expression \\.git$\n',
  )
  assert.equal(await say('/b', '--user', 'ann'), '/b is allowed: no rule matches\n')
  assert.deepEqual(await json('rules', 'test', '/a/x'), {
    ...{ path: '/a/x', allowed: false, decidedBy: { of: 'global', index: 0 }, rule: deny('/a') },
  })
  assert.deepEqual(await json('rules', 'test', '/b'), { path: '/b', allowed: true })
  assert.equal((await cli('rules', 'test', '/../a')).err, 'a path must not contain "..".\n')
})
