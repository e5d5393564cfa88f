// What each command of the state is made with, and what it gives.
import { StartupError } from '../base/startup-error.ts'
import type { CallName, InputOf, ResultOf } from '../control/calls.ts'
import { visible } from '../import/plan-notes.ts'
import type { Console } from './console.ts'

export type CommandParts = Readonly<{
  args: readonly string[]
  /** The value of a flag; a switch is 'true'. */
  flag(name: string): string | undefined
  /** Calls the server, or opens the state at the first call: what is read for it is read before. */
  ask<N extends CallName>(call: N, input: InputOf<N>): Promise<ResultOf<N>>
  console: Console
  copies: StateCopies
}>

/** Copies of the state as a whole, which no server makes. Names of folders count from where the command was typed. */
export type StateCopies = Readonly<{
  /** @throws StartupError */
  backUp(target: string): Promise<Readonly<{ folder: string; files: number; bytes: number; isSteady: boolean }>>
  /** @throws StartupError, also while a server has the state */
  restore(folder: string): Promise<Readonly<{ file: string; users: number; replaced?: string }>>
}>

/** What was asked for, as JSON and as text. Files are written when the state is closed, with the rights of who has typed the command. */
export type Outcome = Readonly<{
  value: unknown
  text: string
  /** 1: not all of it was done. */
  code?: 0 | 1
  file?: Readonly<{ path: string; text: string }>
}>

export type Command = (parts: CommandParts) => Promise<Outcome>

/** Rows as columns, in which nothing acts on a terminal. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows.map((row) => row.map(visible))]
  const widths = head.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? '')].length)))
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd()
  return all.map((row) => `${lineOf(row)}\n`).join('')
}

/** A moment in UTC, to the minute. @param seconds since the epoch */
export const momentOf = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')}Z`

/** A file that holds JSON. @throws StartupError */
export async function jsonIn(console: Console, file: string): Promise<unknown> {
  const text = await console.read(file)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new StartupError(`${file === '-' ? 'the standard input' : file} is not JSON.`, { cause })
  }
}
