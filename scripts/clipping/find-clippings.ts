// Shows the states of the interface in a browser, and measures each in all languages at both widths.
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Browser, Page } from '@playwright/test'
import { build } from 'esbuild'
import { launchBrowser } from '../../test/support/browser.ts'
import { startExecutable } from '../../test/support/start-executable.ts'
import { readLocales } from '../check-locales.ts'
import { type Look, looks } from '../screens/looks.ts'
import { writeSample } from '../screens/sample.ts'
import { sessionAt } from '../screens/session.ts'
import { openWindow, Stage, type Target } from '../screens/stage.ts'
import type { State } from '../screens/state.ts'
import { states } from '../screens/states.ts'
import { WordJudge } from './judge-words.ts'
import type * as measuring from './measure.ts'

declare const clipping: typeof measuring

export type Found = { language: string; state: string; width: number; kind: string; where: string; text: string; detail: string }

export type Options = Readonly<{
  /** The states whose names match. */
  only: RegExp
  /** Codes of locales; all without it. */
  languages?: readonly string[]
  /** Windows at the same time. */
  atOnce: number
  /** Called with what was found in one state at one width. */
  onFound?(found: readonly Found[]): void
}>

type Work = { state: State; look: Look; target: Target }

const top = resolve(import.meta.dirname, '../..')

/** @returns what is clipped or mixed, and how many pages were measured */
export async function findClippings({
  only,
  languages,
  atOnce,
  onFound,
}: Options): Promise<{ found: Found[]; measured: number }> {
  const locales = await readLocales(join(top, 'locales'))
  const codes = languages ?? [...locales.keys()].sort()
  const english = locales.get('en') ?? {}
  const judges = new Map(codes.map((code) => [code, new WordJudge(code, locales.get(code) ?? {}, english)]))
  const script = await measuringScript()
  const server = await startExecutable()
  const browser = await launchBrowser({ font: 'world' })
  try {
    const signedOut = { url: server.url, desktop: join(server.folder, 'desktop') }
    await writeSample(server.root, signedOut.desktop)
    const signedIn = { ...signedOut, session: await sessionAt(browser, server.url) }
    const waiting = workFor(only, { signedOut, signedIn })
    const found: Found[] = []
    let measured = 0
    const run = async () => {
      for (let work = waiting.shift(); work; work = waiting.shift()) {
        const here = await inAllLanguages(browser, work, { script, judges })
        found.push(...here)
        onFound?.(here)
        if (here.every(({ kind }) => kind !== 'not shown')) measured += codes.length
      }
    }
    await Promise.all(Array.from({ length: atOnce }, run))
    return { found, measured }
  } finally {
    await browser.close()
    await server.close()
  }
}

/** Each state by pointer at 1280 px, and by touch at 390 px. */
function workFor(only: RegExp, targets: { signedOut: Target; signedIn: Target }): Work[] {
  return looks
    .filter(({ name }) => name === 'light' || name === 'phone')
    .flatMap((look) => states.filter((state) => state.looks.includes(look.name)).map((state) => ({ state, look })))
    .filter(({ state }) => only.test(state.name))
    .map((work) => ({ ...work, target: work.state.isSignedOut ? targets.signedOut : targets.signedIn }))
}

type Means = { script: string; judges: ReadonlyMap<string, WordJudge> }

/**
 * What is measured are texts: a state that does not come is shown once more, and its reason is printed. The tests of the browser hold
 * that pages come.
 */
async function inAllLanguages(browser: Browser, work: Work, means: Means): Promise<Found[]> {
  const { state, look } = work
  const at = { state: state.name, width: look.width }
  const measured = async () => {
    const { found, kept } = await shown(browser, work, means, (page) => measureAll(page, means.judges))
    const english = kept.size > 0 ? await stillEnglish(browser, work, { means, kept }) : []
    return [...found, ...english].map((one) => ({ ...at, ...one }))
  }
  try {
    return await measured().catch((cause: unknown) => {
      console.log(`${state.name} at ${look.width} px is shown once more: ${reasonOf(cause)}`)
      return measured()
    })
  } catch (cause) {
    // The other states are still measured.
    return [{ ...at, language: '', kind: 'not shown', where: '', text: reasonOf(cause), detail: '' }]
  }
}

/** In one line: what failed, what was waited for, and what the page was. */
function reasonOf(cause: unknown): string {
  const reason = cause instanceof Error ? `${cause.message} ${cause.cause ?? ''}` : String(cause)
  return stripVTControlCharacters(reason).replace(/\s+/g, ' ').trim()
}

/** Shows a state in a window of its own for as long as the work takes. */
async function shown<T>(
  browser: Browser,
  { state, look, target }: Work,
  { script }: Means,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await openWindow(browser, look, target)
  await context.addInitScript({ content: script })
  const page = await context.newPage()
  const stage = new Stage(page, look, target)
  try {
    await state.show(stage).catch(async (cause: Error) => {
      const texts = await page.locator('body').ariaSnapshot().catch(String)
      throw new Error(cause.message, { cause: `Then the page was: ${texts.slice(0, 1000)}` })
    })
    return await work(page)
  } finally {
    await stage.leave()
    await context.close()
  }
}

type FoundHere = Omit<Found, 'state' | 'width'>

/** @returns what was found, and the English texts that the page keeps from before its language changed */
async function measureAll(page: Page, judges: Means['judges']): Promise<{ found: FoundHere[]; kept: Set<string> }> {
  const found: FoundHere[] = []
  const kept = new Set<string>()
  for (const [language, judge] of judges) {
    let { findings, words } = await measureIn(page, language)
    const problems = words.map((text) => judge.problemOf(text)).filter((problem) => problem !== undefined)
    const english = problems.filter(({ kind }) => kind === 'English')
    if (english.length > 0) {
      const translated = english.map(({ text }) => [text, judge.translationOf(text) ?? text])
      ;({ findings } = await page.evaluate((texts) => clipping.measureWith(texts), Object.fromEntries(translated)))
      for (const { text } of english) kept.add(text)
    }
    const others = problems.filter(({ kind }) => kind !== 'English').map((problem) => ({ ...problem, where: '' }))
    found.push(...[...findings, ...others].map((one) => ({ ...one, language })))
  }
  return { found, kept }
}

/** Shows the state again, in the artificial language from the beginning. @returns the texts that are English there too */
async function stillEnglish(
  browser: Browser,
  { state, look, target }: Work,
  { means, kept }: { means: Means; kept: ReadonlySet<string> },
): Promise<FoundHere[]> {
  const mirrored = { state, target, look: { ...look, mirrored: true } }
  const { words } = await shown(browser, mirrored, means, (page) => page.evaluate(() => clipping.measure()))
  const english = words.filter((text) => kept.has(text))
  return english.map((text) => ({ language: 'all', kind: 'English', where: '', text, detail: 'not translated' }))
}

function measureIn(page: Page, code: string): Promise<measuring.Measurement> {
  return page.evaluate(async (tag) => {
    await clipping.speak(tag)
    return clipping.measure()
  }, code)
}

/** The code that runs in pages. */
export async function measuringScript(): Promise<string> {
  const entryPoints = [join(import.meta.dirname, 'measure.ts')]
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: 'iife', globalName: 'clipping' })
  return `${outputFiles[0]?.text}\nglobalThis.clipping = clipping`
}
