import type { StateCommand } from '../options/subcommands.ts'
import type { Command } from './command.ts'

export const keyCommands = {
  'keys rotate': async ({ ask }) => {
    const rotated = await ask('keys.rotate', {})
    const { sessions } = rotated
    const ended = sessions === 1 ? '1 session has ended' : `${sessions} sessions have ended`
    return { value: rotated, text: `The keys are new: ${ended}, and everybody signs in again.\n` }
  },
} as const satisfies Partial<Record<StateCommand, Command>>
