// The plain tools that the server is compared with.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { processorTimeOfChildren } from './process-cost.ts'
import type { Figures } from './row.ts'
import { keep } from './workplace.ts'

export function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, program)))
}

function isExecutable(file: string) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Runs programs at the same time, each to its end, without a shell. @throws when one fails */
export async function timeTools(commands: readonly (readonly string[])[]): Promise<Figures> {
  const processor = processorTimeOfChildren()
  const started = performance.now()
  await Promise.all(commands.map(runTool))
  return { seconds: (performance.now() - started) / 1000, processor: processorTimeOfChildren() - processor }
}

export async function runTool([program = '', ...args]: readonly string[]): Promise<void> {
  const child = keep(spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] }))
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const [code, signal] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ended with ${code ?? signal}: ${errors}`)
}

/** Writes dirty pages to the disk, so that this does not happen during the next measurement. */
export function settle(folder: string): Promise<void> {
  return runTool(['sync', '-f', folder])
}
