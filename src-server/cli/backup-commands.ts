import { visible } from '../import/plan-notes.ts'
import type { StateCommand } from '../options/subcommands.ts'
import type { Command } from './command.ts'

export const backupCommands = {
  backup: async ({ args: [folder = ''], copies, console }) => {
    const made = await copies.backUp(folder)
    if (!made.isSteady)
      console.complain('the server wrote all the time: each file of the backup is whole, but they are not all of one moment.')
    const size = `${made.files} ${made.files === 1 ? 'file' : 'files'}, ${made.bytes} bytes`
    return { value: made, text: `The backup is in ${visible(made.folder)} (${size}).\n`, code: made.isSteady ? 0 : 1 }
  },

  restore: async ({ args: [folder = ''], copies }) => {
    const restored = await copies.restore(folder)
    const before = restored.replaced === undefined ? '' : `What was there is in ${visible(restored.replaced)}.\n`
    const users = `${restored.users} ${restored.users === 1 ? 'user' : 'users'}`
    return { value: restored, text: `${visible(restored.file)} is the one of the backup, with ${users}.\n${before}` }
  },
} as const satisfies Partial<Record<StateCommand, Command>>
