// A state that no server has, as a command opens it: with the services of a server that its calls need.
import { statSync } from 'node:fs'
import { ActivityLog } from './activity/activity-log.ts'
import { actAs } from './base/act-as.ts'
import { systemClock } from './base/clock.ts'
import { StartupError } from './base/startup-error.ts'
import { answerCommands } from './control-services.ts'
import { localDisk } from './disk/local-disk.ts'
import { ProtectedPaths } from './disk/protected-paths.ts'
import { beginInstallation } from './disk/temporary-names.ts'
import { Events } from './events/events.ts'
import { checkImportedRoot } from './imported-root.ts'
import { writeActivity } from './listeners/activity.ts'
import { unpackNativesTemporarily } from './options/native-folder.ts'
import type { Options } from './options/options.ts'
import { State } from './state/state.ts'
import { Accounts } from './users/accounts.ts'
import { Passwords } from './users/passwords.ts'
import { Sessions } from './users/sessions.ts'

type StoppedParts = Readonly<{
  options: Options
  /** Tests make cheap ones. */
  passwords?: Passwords
  complain(line: string): void
}>

/** Answers the calls of a command. */
export type OpenedState = Readonly<{ answer(line: string): Promise<string>; close(): Promise<void> }>

/** Opens the state under its lock. @throws StateHeld while another process has it, StartupError */
export async function openStopped(parts: StoppedParts): Promise<OpenedState> {
  const giveBack = await actAsOwner(parts.options.database, parts.passwords)
  try {
    const { answer, close } = await opened(parts)
    return { answer, close: () => close().finally(giveBack) }
  } catch (error) {
    giveBack()
    throw error
  }
}

async function opened({ options, passwords = new Passwords(), complain }: StoppedParts): Promise<OpenedState> {
  const removeNatives = unpackNativesTemporarily()
  const clock = systemClock
  const warn = (details: object, text: string) => complain(`${text}${reasonIn(details)}`)
  const state = await State.open({ file: options.database, clock, log: { warn, error: warn } }).catch((error) => {
    removeNatives()
    throw error
  })
  try {
    if (options.isRootNamed) await checkImportedRoot(state, options)
  } catch (error) {
    await state.close()
    removeNatives()
    throw error
  }
  beginInstallation(state.instance)
  const events = new Events((error) => warn({ err: error }, 'a listener failed'))
  const closeActivity = startActivity(options, { events, warn })
  const protectedPaths = ProtectedPaths.of({ stateFile: options.database, files: [], folders: [options.cacheDir] })
  const answer = answerCommands(
    {
      ...{ options, state, events, clock },
      accounts: new Accounts({ state, passwords, clock }),
      sessions: new Sessions({ state, clock, lifetime: options.tokenLifetime }),
      diskFor: ({ scope, base }, operation) =>
        operation.own(
          localDisk({ root: options.root, linksInto: options.linksInto, scope, base, protectedPaths, signal: operation.signal }),
        ),
      checkRoot: () => {
        if (!options.isRootNamed) throw new StartupError('this needs the served folder: name it with --root')
      },
    },
    (error) => warn({ err: error }, 'the command failed'),
  )
  const close = async () => {
    await closeActivity()
    await state.close()
    await protectedPaths.close()
    removeNatives()
  }
  return { answer, close }
}

type Warn = (details: object, text: string) => void

function startActivity({ auditLog }: Options, { events, warn }: { events: Events; warn: Warn }) {
  if (auditLog === undefined) return async () => {}
  const log = new ActivityLog({ file: auditLog, report: (sentence, error) => warn({ err: error }, sentence) })
  const end = writeActivity({ events, log, clock: systemClock, isKnown: async () => true })
  return () => {
    end()
    return log.close()
  }
}

function reasonIn(details: object): string {
  const { err } = details as { err?: unknown }
  return err instanceof Error ? ` (${err.message})` : ''
}

/** As root, acts as the owner of the state until the returned function is called: what is written keeps its owner. */
async function actAsOwner(database: string, passwords: Passwords | undefined): Promise<() => void> {
  const owner = statSync(database)
  // Its code may lie where the owner cannot read it.
  if (process.geteuid?.() === 0 && owner.uid !== 0) await (passwords ?? new Passwords()).prepare()
  return actAs(owner)
}
