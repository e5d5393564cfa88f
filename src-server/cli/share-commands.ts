import type { ResultOf } from '../control/calls.ts'
import { visible } from '../import/plan-notes.ts'
import type { StateCommand } from '../options/subcommands.ts'
import { type Command, momentOf, tableOf } from './command.ts'

type ShownLink = ResultOf<'shares.list'>[number]

export const shareCommands = {
  'shares list': async ({ flag, ask }) => {
    const user = flag('user')
    const links = await ask('shares.list', user === undefined ? {} : { user })
    return { value: links, text: linksTable(links) }
  },

  'shares remove': async ({ args: [hash = ''], ask }) => {
    const removed = await ask('shares.remove', { hash })
    return { value: removed, text: `The link to ${visible(removed.path)} is removed.\n` }
  },
} as const satisfies Partial<Record<StateCommand, Command>>

function linksTable(links: readonly ShownLink[]): string {
  const rows = links.map((link) => {
    const { hash, kind, username, path, created, hasPassword, note } = link
    return [hash, kind, username, momentOf(created), endOf(link), hasPassword ? 'yes' : 'no', path, note]
  })
  return tableOf(['HASH', 'KIND', 'OWNER', 'MADE', 'ENDS', 'PASSWORD', 'PATH', 'NOTE'], rows)
}

function endOf({ expire, inTrash, closed }: ShownLink): string {
  if (inTrash) return 'in the trash'
  if (closed !== undefined) return 'closed'
  return expire === 0 ? 'never' : momentOf(expire)
}
