// What the command line asks for. A running server answers it, or the command itself with the state that it has opened.
import { Failure } from '../base/failure.ts'
import { StartupError } from '../base/startup-error.ts'
import { version } from '../base/version.ts'
import { CallRefusal } from './call-refusal.ts'
import { configCalls, servedCalls } from './config-calls.ts'
import { hookCalls } from './hook-calls.ts'
import { keyCalls } from './key-calls.ts'
import type { OperatorServices } from './operator-services.ts'
import { ruleCalls } from './rule-calls.ts'
import { sessionCalls } from './session-calls.ts'
import { shareCalls } from './share-calls.ts'
import { userCalls } from './user-calls.ts'

/** Each is given the services and plain JSON, and gives plain JSON. */
export const calls = {
  ...{ ...userCalls, ...sessionCalls, ...shareCalls, ...ruleCalls },
  ...{ ...configCalls, ...servedCalls, ...hookCalls, ...keyCalls },
}

export type CallName = keyof typeof calls
export type InputOf<N extends CallName> = Parameters<(typeof calls)[N]>[1]
export type ResultOf<N extends CallName> = Awaited<ReturnType<(typeof calls)[N]>>

/** What an answer holds. `refusal`: a sentence; `fault`: something that only the log says. */
export type Answer = Readonly<{ result?: unknown; refusal?: string; fault?: string }>

type AnswerParts = Readonly<{ services: OperatorServices; report(error: unknown): void }>

/** The line for a call. */
export const lineOf = (call: CallName, input: unknown): string => JSON.stringify({ version, call, input })

/** Answers the line of a call with one. */
export async function answerLine(line: string, { services, report }: AnswerParts): Promise<string> {
  return JSON.stringify(await answered(line, services, report))
}

async function answered(line: string, services: OperatorServices, report: (error: unknown) => void): Promise<Answer> {
  try {
    const asked = JSON.parse(line) as Readonly<{ version: string; call: CallName; input: never }>
    if (asked.version !== version)
      return { refusal: `the server that runs is of version ${version}, and this is ${asked.version}: restart it` }
    if (!Object.hasOwn(calls, asked.call)) return { refusal: `the server knows no call ${asked.call}` }
    return { result: await calls[asked.call](services, asked.input) }
  } catch (error) {
    if (error instanceof CallRefusal || error instanceof StartupError) return { refusal: error.message }
    if (error instanceof Failure && error.code !== 'internal')
      return { refusal: error.message || sentences[error.code] || error.code }
    report(error)
    return { fault: error instanceof Failure && error.cause instanceof Error ? error.cause.message : String(error) }
  }
}

const sentences: Readonly<Record<string, string>> = {
  notFound: 'there is no such thing',
  conflict: 'it was changed meanwhile, or is there already',
  changed: 'it was changed meanwhile: look at it again',
  forbidden: 'it is not allowed',
}
