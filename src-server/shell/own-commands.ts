// The commands of one person: which may be run, and how many at a time.
import { constants } from 'node:os'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { Limiter } from '../base/limiter.ts'
import type { Operation } from '../base/operation.ts'
import type { Events, Source } from '../events/events.ts'
import type { WorkingFolder } from '../files/working-folder.ts'
import type { Identity } from '../users/sign-in.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { findProgram } from './find-program.ts'
import { type LineOutput, runLines } from './run-lines.ts'
import type { Sandbox } from './sandbox.ts'
import { splitLine } from './split-line.ts'
import { type Ending, openTerminal, type Terminal } from './terminal.ts'

/** Four sockets for commands of one person, by id, at a time. */
export function commandSlots(): Limiter<number> {
  return new Limiter({ ofOne: 4, refusal: () => new Failure('tooMany', 'too many commands are running') })
}

/** What all people share. */
export type CommandParts = Readonly<{
  /** Whether the server was started with `--enable-exec`. */
  isOn: boolean
  /** What commands run in. */
  sandbox: Sandbox
  clock: Clock
  events: Events
  /** Of `commandSlots`. */
  slots: Limiter<number>
}>

/** A command that may be run. `folder` is a path of the host. */
export type ReadyCommand = Readonly<{
  line: string
  program: string
  args: readonly string[]
  folder: string
  env: Readonly<Record<string, string>>
}>

export type TerminalSize = Readonly<{ columns: number; rows: number }>

/** What was asked for cannot be run, in the words that older clients know. */
export class CommandRefused extends Error {}

/** The commands that one person may run. */
export class OwnCommands {
  readonly #parts: CommandParts & Readonly<{ me: Pick<Identity, 'user'>; source: Source }>

  constructor(parts: CommandParts & Readonly<{ me: Pick<Identity, 'user'>; source: Source }>) {
    this.#parts = parts
  }

  /** @throws Failure('forbidden') */
  check(): void {
    const { isOn, sandbox, me } = this.#parts
    if (!me.user.perm.execute) throw new Failure('forbidden', 'you may not execute here')
    if (!isOn) throw new Failure('forbidden', 'commands are off: the server was started without --enable-exec')
    // They would have the rights of the server, and so could read its state.
    if (!sandbox.isForAll && !me.user.perm.admin)
      throw new Failure('forbidden', 'commands are for administrators alone: bubblewrap does not run on this server')
  }

  /** Takes one of the person's places until the operation ends. @throws Failure('tooMany') */
  enter(operation: Operation): void {
    const { me, slots } = this.#parts
    operation.own(slots.take(me.user.id))
  }

  /**
   * Looks whether a line may be run: its first word equals one of the person's commands. Nothing in it is expanded.
   * @throws CommandRefused
   */
  async ready(line: string, folder: WorkingFolder): Promise<ReadyCommand> {
    const [name = '', ...args] = wordsOf(line)
    if (name === '' || !this.#parts.me.user.commands.includes(name)) throw new CommandRefused('Command not allowed.')
    const program = await findProgram(name, cleanEnvironment().PATH)
    if (program === undefined) throw new CommandRefused(`exec: "${name}": executable file not found in $PATH`)
    const asked = { program, args, scope: folder.scope, folder: folder.host }
    const started = (await this.#parts.sandbox.wrap?.(asked)) ?? { program, args, env: cleanEnvironment() }
    if ('problem' in started) throw new CommandRefused(`${started.problem}.`)
    return { line, folder: folder.host, ...started }
  }

  /** Runs a command in a terminal, which the operation owns. */
  async inTerminal(command: ReadyCommand, folder: WorkingFolder, size: TerminalSize, operation: Operation): Promise<Terminal> {
    const { program, args, folder: host, env } = command
    const { clock } = this.#parts
    const terminal = await this.#announced('command', command, folder, async () =>
      endedWith(operation, await openTerminal({ command: program, args, folder: host, env, ...size, clock })),
    )
    const end = this.#announced('commandEnd', command, folder, async () => checkEnding(await terminal.ended, operation))
    end.catch(() => {})
    return terminal
  }

  /** Runs a command without a terminal and without input, which ends with the operation. @returns when it has ended */
  async inLines(command: ReadyCommand, folder: WorkingFolder, write: LineOutput, operation: Operation): Promise<void> {
    const { clock } = this.#parts
    const running = await this.#announced('command', command, folder, async () =>
      endedWith(operation, await runLines({ ...command, write, clock })),
    )
    await running.ended
  }

  #announced<T>(
    kind: 'command' | 'commandEnd',
    { line }: ReadyCommand,
    { served }: WorkingFolder,
    work: () => Promise<T>,
  ): Promise<T> {
    const { events, me, source } = this.#parts
    const by = { id: me.user.id, name: me.user.username }
    return events.around({ kind, line, folder: served, by, ...source }, work)
  }
}

/** Hang-up and Ctrl+C. */
const personSignals: readonly number[] = [constants.signals.SIGHUP, constants.signals.SIGINT]

/**
 * For the activity log. Whoever stops a command by Ctrl+C or leaves its terminal ends it as usual.
 * @throws Failure with the exit code that is not 0, or the signal
 */
function checkEnding({ code, signal }: Ending, operation: Operation): void {
  // A shell, or bwrap, ends with 128 and the number of the signal that has ended its program.
  if (operation.signal.aborted || personSignals.includes(signal ?? code - 128)) return
  if (signal !== undefined) throw new Failure('internal', `signal ${signal}`)
  if (code !== 0) throw new Failure('internal', `exit code ${code}`)
}

/** Closed at the abort already: an operation ends only after who waits for the end of the command. */
function endedWith<T extends { close(): Promise<void> }>(operation: Operation, running: T): T {
  const { signal } = operation
  if (signal.aborted) void running.close()
  else signal.addEventListener('abort', () => void running.close(), { once: true })
  return operation.own(running)
}

function wordsOf(line: string): string[] {
  try {
    return splitLine(line)
  } catch {
    throw new CommandRefused('error parsing command: EOF found when expecting closing quote.')
  }
}
