import { StartupError } from '../base/startup-error.ts'
import type { StateCommand } from '../options/subcommands.ts'
import { type Command, momentOf, tableOf } from './command.ts'

export const sessionCommands = {
  'sessions list': async ({ flag, ask }) => {
    const user = flag('user')
    const sessions = await ask('sessions.list', user === undefined ? {} : { user })
    const rows = sessions.map(({ id, username, createdAt, usedAt, address, agent }) => [
      ...[id, username, momentOf(createdAt), momentOf(usedAt), address || '-', agent],
    ])
    return { value: sessions, text: tableOf(['ID', 'USER', 'BEGAN', 'LAST USED', 'FROM', 'WITH'], rows) }
  },

  'sessions end': async ({ args: [id], flag, ask }) => {
    const [user, isAll] = [flag('user'), flag('all') !== undefined]
    if (Number(id !== undefined) + Number(user !== undefined) + Number(isAll) !== 1)
      throw new StartupError('Name one session, or the user with --user, or everybody with --all.')
    const ended = await ask('sessions.end', { ...(id !== undefined && { id }), ...(user !== undefined && { user }) })
    return { value: ended, text: `${ended.ended} ${ended.ended === 1 ? 'session has' : 'sessions have'} ended.\n` }
  },
} as const satisfies Partial<Record<StateCommand, Command>>
