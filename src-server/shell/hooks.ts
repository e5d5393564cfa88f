// The commands of events that administrators name in the settings: before a change, where they may refuse it, and after it.
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { Limiter } from '../base/limiter.ts'
import { cleanEnvironment } from './clean-environment.ts'
import { commandOf, type HookCommand, type HookVariables, readHookLine, takesName } from './hook-line.ts'
import { printable } from './printable.ts'
import { type CommandLimits, type Outcome, runCommand } from './run-command.ts'

/** The part of the settings that hooks read, at each event. */
export type HookSettings = Readonly<{
  /** The shell that gets each line as its last argument, such as `sh -c`; empty for none. */
  shell: readonly string[]
  /** Lines by event: `before_upload`, `after_delete`. */
  commands: Readonly<Record<string, readonly string[]>>
  limits?: CommandLimits
}>

/** An event for which lines may be named. */
export type HookEvent = Readonly<{
  variables: HookVariables
  userId: number | undefined
  /** Whether who acts is a stranger: no command gets the name that they chose as an argument. */
  isOfStranger?: boolean
  /** Ends the waiting for a command and the command itself, but not those in the background. */
  signal?: AbortSignal | undefined
}>

/** What the log gets of a command that ran. */
export type HookReport = Readonly<{
  trigger: string
  line: string
  user: string
  path: string
  outcome: Outcome['kind']
  code: number | null
  reason?: string | undefined
  output: string
  ms: number
}>

type HooksParts = Readonly<{
  settings(): HookSettings | Promise<HookSettings>
  clock: Clock
  /** Called after each command. */
  report(report: HookReport): void
}>

/** Unless the settings say otherwise. */
const usualLimits: CommandLimits = { milliseconds: 30_000, bytes: 65_536 }

/** Milliseconds for which a change waits until a command of its may begin. */
const longestWait = 60_000

/** Characters of output that a refused change shows. */
const shownOutput = 200

/** Runs the commands of events. */
export class Hooks {
  readonly #parts: HooksParts
  readonly #queue = new HookQueue()
  readonly #ending = new AbortController()
  readonly #running = new Set<Promise<unknown>>()

  constructor(parts: HooksParts) {
    this.#parts = parts
  }

  /** Whether an event has commands. */
  async has(trigger: string): Promise<boolean> {
    const { commands } = await this.#parts.settings()
    return (commands[trigger] ?? []).some((line) => line.trim() !== '')
  }

  /** Whether a command of one of some events gets the name of the file as an argument. */
  async takeName(triggers: readonly string[]): Promise<boolean> {
    const { commands, shell } = await this.#parts.settings()
    const lines = triggers.flatMap((trigger) => commands[trigger] ?? [])
    return lines.some((line) => takesName(readHookLine(line).text, shell))
  }

  /**
   * Runs the commands of an event, one after another. Those in the background are only begun, and those after a change of a stranger
   * come when their turn has come: nobody waits for them.
   * @throws Failure('forbidden') with what the command wrote, when one fails; the next are not run. Failure('busy')
   */
  async run(event: HookEvent): Promise<void> {
    const settings = await this.#parts.settings()
    if (!isForLater(event)) return this.#runAll(event, settings)
    // What fails is in the log already.
    this.#track(this.#runAll(event, settings)).catch(() => {})
  }

  async #runAll(event: HookEvent, { commands, shell, limits = usualLimits }: HookSettings) {
    for (const line of commands[event.variables.TRIGGER] ?? []) {
      if (line.trim() === '') continue
      const { text, isBackground } = readHookLine(line)
      const work = this.#track(this.#begin(event, { text, shell, limits, isBackground }))
      if (!isBackground) refuseUnlessRight(await work, event)
    }
  }

  /** Ends all commands. @returns when they have ended */
  async close(): Promise<void> {
    this.#ending.abort()
    await Promise.allSettled(this.#running)
  }

  /** @throws Failure('busy') before anything has begun */
  #begin(event: HookEvent, { text, shell, limits, isBackground }: Line): Promise<Outcome> {
    const { signal, ended } = this.#signalFor(event, isBackground)
    const { userId, isOfStranger } = event
    const run = this.#admit({ userId, isOfStranger, isForLater: isForLater(event), isBackground, signal }, ended)
    const started = { at: 0 }
    const work = run(async () => {
      ended()
      started.at = this.#parts.clock.elapsed()
      const command = event.isOfStranger && takesName(text, shell) ? namesFile : commandFor(text, shell, event.variables)
      if ('kind' in command) return command
      const env = { ...cleanEnvironment(), ...event.variables }
      const ending = isBackground ? this.#ending.signal : this.#endingWith(event.signal)
      return runCommand({ ...command, env, limits, clock: this.#parts.clock, signal: ending })
    })
    const neverRun = (error: unknown): Outcome => {
      if (!isForLater(event)) throw error
      return {
        kind: 'aborted',
        code: null,
        output: '',
        reason: this.#ending.signal.aborted ? 'the server ended before its turn' : String(error),
      }
    }
    return work
      .finally(ended)
      .catch(neverRun)
      .then((outcome) => {
        this.#report(event, text, outcome, this.#parts.clock.elapsed() - started.at)
        return outcome
      })
  }

  /** @param refused is called when the queue is full @throws Failure('busy') */
  #admit(asked: Parameters<HookQueue['admit']>[0], refused: () => void) {
    try {
      return this.#queue.admit(asked)
    } catch (error) {
      refused()
      throw error
    }
  }

  /** Ends the waiting: that of a change that waits for its command takes only so long. */
  #signalFor(event: HookEvent, isBackground: boolean) {
    if (isBackground || isForLater(event)) return { signal: this.#ending.signal, ended: () => {} }
    const tooLong = new AbortController()
    const ended = this.#parts.clock.after(longestWait, () => tooLong.abort(tooMany()))
    return { signal: AbortSignal.any([tooLong.signal, this.#endingWith(event.signal)]), ended }
  }

  #endingWith(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#ending.signal]) : this.#ending.signal
  }

  #report({ variables }: HookEvent, line: string, outcome: Outcome, ms: number) {
    const { TRIGGER: trigger, USERNAME: user, FILE: path } = variables
    const { kind, code, reason } = outcome
    const output = printable(outcome.output, shownOutput)
    this.#parts.report({ trigger, line, user, path, outcome: kind, code, reason, output, ms: Math.round(ms) })
  }

  /** Nobody waits for those in the background: their errors end here. */
  #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work)
    const forget = () => void this.#running.delete(work)
    work.then(forget, forget)
    return work
  }
}

/**
 * The commands after a change of a stranger have neither a limit of their number nor of the time that they wait: a file that was sent
 * among many others must not get past the one that looks at it. How many there are is limited by what links take in.
 */
const isForLater = ({ isOfStranger = false, variables }: HookEvent) => isOfStranger && variables.TRIGGER.startsWith('after_')

type Line = Readonly<{ text: string; shell: readonly string[]; limits: CommandLimits; isBackground: boolean }>

const namesFile: Outcome = { kind: 'notStarted', code: null, output: '', reason: 'a stranger has chosen the name of the file' }

/** A line that cannot be read is as one whose program does not exist. */
function commandFor(text: string, shell: readonly string[], variables: HookVariables): HookCommand | Outcome {
  try {
    return commandOf(text, shell, variables)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { kind: 'notStarted', code: null, output: '', reason: error.message }
  }
}

const sentences: Readonly<Record<Exclude<Outcome['kind'], 'ended'>, string>> = {
  late: 'a command of the server took too long',
  tooMuch: 'a command of the server wrote too much',
  aborted: 'a command of the server was stopped',
  notStarted: 'a command of the server could not be run',
}

/**
 * @throws Failure('forbidden') whose sentence the person sees; of strangers Failure('busy') where the command has not said anything about
 * the file: nobody would send it again
 */
function refuseUnlessRight(outcome: Outcome, { isOfStranger = false }: HookEvent): void {
  const { kind, code, output } = outcome
  if (isOfStranger && !hasSaid(outcome))
    throw new Failure('busy', sentences[kind === 'ended' ? 'notStarted' : kind], { retryAfter: 30 })
  if (kind !== 'ended') throw new Failure('forbidden', sentences[kind])
  if (code === 0) return
  const written = printable(output, shownOutput)
  if (written !== '') throw new Failure('forbidden', written, { isWritten: true })
  throw new Failure('forbidden', 'a command of the server refused it')
}

/** Whether a command has ended by itself. The codes of shells for what was not found, cannot be run, or was killed by a signal are not its own. */
function hasSaid({ kind, code }: Outcome): boolean {
  if (kind !== 'ended' || code === null) return false
  return code !== 126 && code !== 127 && !(code > 128 && code < 160)
}

/** How many commands of events run and wait. */
const most = { running: 4, inBackground: 16, waiting: 100, waitingOfOne: 50, waitingOfStrangers: 50 }

const tooMany = () => new Failure('busy', 'too many commands of events are running', { retryAfter: 5 })

/** One command. */
const one = { key: undefined, weight: 1 }

type AskedCommand = Readonly<{
  userId: number | undefined
  isOfStranger?: boolean | undefined
  /** Whether it waits however many do, and nobody waits for it. */
  isForLater?: boolean
  isBackground: boolean
  signal: AbortSignal
}>

/** @property waiting undefined where any number waits */
type Places = Readonly<{ all: Limiter; running: Limiter; waiting?: Limiter<string> }>

/**
 * Limits the commands of events: those that a change waits for, and those in the background. Of strangers one runs at a time, and they
 * wait in places of their own: however many files they send, the changes of people go on.
 */
export class HookQueue {
  readonly #foreground = new Limiter({ inAll: most.running })
  readonly #background = new Limiter({ inAll: most.inBackground })
  /** By user: one person's changes must not take all places. */
  readonly #waiting = new Limiter<string>({
    inAll: most.waiting,
    ofOne: most.waitingOfOne,
    refusal: tooMany,
  })
  readonly #ofStrangers = { foreground: new Limiter({ inAll: 1 }), background: new Limiter({ inAll: 1 }) }
  /** Not among those before a change: these would wait for all of them. */
  readonly #later = new Limiter({ inAll: 1 })
  readonly #strangersWaiting = new Limiter<string>({ inAll: most.waitingOfStrangers, refusal: tooMany })

  /**
   * Takes a place for one command.
   * @returns what runs it as soon as its turn comes, and throws the signal's reason when it is aborted while waiting
   * @throws Failure('busy') when too many wait
   */
  admit(asked: AskedCommand): <T>(work: () => Promise<T>) => Promise<T> {
    const { signal } = asked
    const { all, running, waiting: line } = this.#placesFor(asked)
    const waiting = running.hasRoomFor(one) ? undefined : line?.take(`${asked.userId}`)
    const begun = <T>(work: () => Promise<T>) => {
      waiting?.close()
      return running === all ? work() : all.run(work, { signal })
    }
    return (work) => running.run(() => begun(work), { signal }).finally(() => waiting?.close())
  }

  #placesFor({ isOfStranger = false, isForLater = false, isBackground }: AskedCommand): Places {
    if (isForLater) return { all: this.#background, running: this.#later }
    const all = isBackground ? this.#background : this.#foreground
    if (!isOfStranger) return { all, running: all, waiting: this.#waiting }
    return { all, running: this.#ofStrangers[isBackground ? 'background' : 'foreground'], waiting: this.#strangersWaiting }
  }
}
