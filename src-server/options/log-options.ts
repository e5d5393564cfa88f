// --log names a level, or, as with File Browser, where the log goes. Both may be given: --log stdout --log debug.
import { resolve } from 'node:path'
import * as check from './checks.ts'
import type { OptionSource } from './option-source.ts'
import { logLevels, type Options } from './options.ts'

const streams: Readonly<Record<string, string>> = {
  stdout: 'stdout',
  '/dev/stdout': 'stdout',
  stderr: 'stderr',
  '/dev/stderr': 'stderr',
}

/** @throws StartupError for what is no level, no stream and no path: that one has a slash or a dot */
export function logOptions(given: readonly OptionSource[], folder: string): Pick<Options, 'logLevel' | 'logTo'> {
  const places = given.filter(({ value }) => streams[value] !== undefined || /[/.]/.test(value))
  const level = given.findLast((source) => !places.includes(source))
  const place = places.at(-1)
  const logTo = place && (streams[place.value] ?? check.newOrExistingFile({ ...place, value: resolve(folder, place.value) }))
  return {
    logLevel: level === undefined ? 'info' : check.oneOf(level, logLevels),
    // Standard error is where the log goes anyway.
    ...(logTo !== undefined && logTo !== 'stderr' && { logTo }),
  }
}
