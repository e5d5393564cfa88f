// The phases of `npm run check` and `npm test`. Each prints its name at the beginning and its time at the end; the first failure
// ends the run.
import { spawn } from 'node:child_process'
import { delimiter, join, resolve } from 'node:path'

export type Phase = Readonly<{ name: string; run(): Promise<void> }>

const top = resolve(import.meta.dirname, '..')

/** Runs the phases one after the other and prints the time of each at the end. @returns the exit code */
export async function runPhases(phases: readonly Phase[]): Promise<0 | 1> {
  const begin = performance.now()
  const times: string[] = []
  for (const { name, run } of phases) {
    const started = performance.now()
    console.log(`▶ ${name}`)
    try {
      await run()
    } catch (error) {
      console.error(error instanceof PhaseFailure ? error.message : error)
      console.error(`✗ ${name} failed after ${seconds(started)}`)
      return 1
    }
    console.log(`✓ ${name}: ${seconds(started)}`)
    times.push(`  ${seconds(started).padStart(8)}  ${name}`)
  }
  console.log([`✓ done in ${seconds(begin)}:`, ...times].join('\n'))
  return 0
}

/**
 * Phases that run at the same time, because none of them alone keeps all cores busy. Each prints its time when it ends.
 * @throws the first failure, when all have ended
 */
export function together(name: string, phases: readonly Phase[]): Phase {
  return {
    name,
    run: async () => {
      const outcomes = await Promise.allSettled(phases.map(runPart))
      const failure = outcomes.find((outcome) => outcome.status === 'rejected')
      if (failure) throw failure.reason
    },
  }
}

async function runPart({ name, run }: Phase): Promise<void> {
  const started = performance.now()
  try {
    await run()
  } catch (error) {
    console.error(error instanceof PhaseFailure ? error.message : error)
    throw new PhaseFailure(`${name} failed after ${seconds(started)}`)
  }
  console.log(`✓ ${name}: ${seconds(started)}`)
}

/** A failure that is explained by the phase's output: its stack is not printed. */
export class PhaseFailure extends Error {}

/** A phase that runs one program of node_modules/.bin or of the system. */
export function program(name: string, command: string, args: readonly string[]): Phase {
  return { name, run: () => runProgram(command, args) }
}

/** A phase that prints problems and fails when there are any. */
export function problems(name: string, find: () => Promise<readonly string[]>): Phase {
  return {
    name,
    run: async () => {
      const found = await find()
      if (found.length > 0) throw new PhaseFailure(found.join('\n'))
    },
  }
}

async function runProgram(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, [...args], { cwd: top, env: projectEnvironment(), stdio: ['ignore', 'inherit', 'inherit'] })
  const forget = onSignals((signal) => child.kill(signal))
  try {
    await new Promise<void>((done, fail) => {
      child.on('error', fail)
      child.on('exit', (code, signal) =>
        code === 0 ? done() : fail(new PhaseFailure(`${command} ended with ${code ?? signal}`)),
      )
    })
  } finally {
    forget()
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Calls the listener for each signal that would end the process. @returns a function that removes the listener */
export function onSignals(listener: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of signals) process.on(signal, listener)
  return () => {
    for (const signal of signals) process.removeListener(signal, listener)
  }
}

/**
 * Puts the programs of node_modules first in PATH, and sets the compile cache of Node. In the plain locale of a machine without a setting
 * Chromium cannot read files whose names are not ASCII.
 */
export function projectEnvironment(): NodeJS.ProcessEnv {
  const path = [join(top, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  return { LANG: 'C.UTF-8', ...process.env, PATH: path, NODE_COMPILE_CACHE: join(top, 'out/compile-cache') }
}

function seconds(started: number) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`
}
