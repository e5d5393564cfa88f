// Fails when a text is clipped, or laid out in the wrong direction, or not translated: every state of scripts/screens/ in every
// language, by pointer at 1280 px and by touch at 390 px, in the packaged executable. After `npm run package`:
//   node_modules/.bin/node scripts/check-clipping.ts [--only PATTERN] [--language CODE]...
import { parseArgs } from 'node:util'
import { type Found, findClippings } from './clipping/find-clippings.ts'

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    language: { type: 'string', multiple: true },
    windows: { type: 'string', default: '3' },
  },
})

const seen = new Set<string>()

/** The same in several states is one problem, but each state that is not shown is a problem of its own. */
function report(found: readonly Found[]) {
  const fresh = found.filter(({ kind, where, width, text, language, state }) => {
    const name = [kind, where, width, text, language, kind === 'not shown' && state].join('\n')
    return !seen.has(name) && seen.add(name)
  })
  const sameThing = Map.groupBy(fresh, ({ kind, where, text, detail }) =>
    [kind, where, kind === 'English' ? detail : text].join('\n'),
  )
  for (const same of sameThing.values()) {
    const [{ kind, where, text, detail, width, state }] = same as [Found]
    const languages = same.map(({ language }) => language).join(' ')
    console.log([`${state} at ${width} px`, kind, languages, where, text, detail].filter(Boolean).join(' · '))
  }
}

const begin = performance.now()
const { found, measured } = await findClippings({
  only: new RegExp(flags.only),
  atOnce: Number(flags.windows),
  ...(flags.language && { languages: flags.language }),
  onFound: report,
})
console.log(`${measured} pages in ${Math.round((performance.now() - begin) / 1000)} s: ${seen.size || 'no'} problems`)
process.exitCode = found.length > 0 ? 1 : 0
