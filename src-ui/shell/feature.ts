import { pageConfig } from '../api/page-config.ts'
import type { Feature } from '../core/feature.ts'
import { shellSlice } from './shell.ts'

/** The command that opens and closes the panel for commands. */
export const shellFeature: Feature = {
  commands: [
    {
      id: 'shell',
      label: 'command.shell',
      icon: 'terminal-2',
      scope: 'listing',
      places: ['more'],
      group: 'shell',
      allowed: (workspace) => pageConfig.EnableExec && workspace.may('execute'),
      run: (workspace) => {
        const { isOpen, show } = workspace.use(shellSlice)
        show(!isOpen.value)
      },
    },
  ],
}
