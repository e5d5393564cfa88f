// Who acts with the command line of the machine: somebody who may write the state, and so may do everything.
import { allPermissions } from '../access/permissions.ts'
import type { Source } from '../events/events.ts'
import type { OperatorView } from '../state/views.ts'

/** As who the operator is in events and in the activity log. */
export const operatorName = 'cli'

/** Nobody has the id. */
export const operatorView = (settings: OperatorView['settings']): OperatorView => ({
  user: { id: 0, username: operatorName, perm: allPermissions, lockPassword: false },
  settings,
})

export const operatorSource: Source = { address: '', way: 'cli' }

/** An operator has to show nothing: whoever may write the state has all of it. */
export const operatorProof = { give: async () => {}, check: () => {} }
