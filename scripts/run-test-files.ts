// Runs as a test file: takes one test file after another from a list until none is left, and runs each as one suite. What takes long
// to start (the modules of the server, a browser) is started once for all. Several processes take from the same list.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { closeBrowser, shareBrowser } from '../test/support/browser.ts'
import { endSoon } from './end-tests.ts'
import type { SharedList } from './test-files.ts'

const { top, files, taken } = JSON.parse(process.env.HOLDALL_TEST_LIST ?? '') as SharedList

/** @returns the first file that no process has taken; making a folder succeeds in one process alone */
function take(): string | undefined {
  return files.find((_, index) => {
    try {
      mkdirSync(join(taken, String(index)))
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      return false
    }
  })
}

/** The longest that a timer can wait: the tests of the file have limits of their own. */
const timeout = 2 ** 31 - 1
shareBrowser()
// What a test waits for may be a timer that keeps no process open: the process ends before that test does.
const open = setInterval(() => {}, timeout)
// Hooks of a file belong to its suite, which begins when the file is loaded and has ended before the next is taken.
for (let file = take(); file; file = take()) {
  const { href } = pathToFileURL(join(top, file))
  await suite(file, { timeout }, async () => void (await import(href)))
}
await closeBrowser()
clearInterval(open)
endSoon()
