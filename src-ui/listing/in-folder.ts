import type { TokenUser } from '../../src-server/contract/users.ts'
import { decision } from '../core/location.ts'
import { user } from '../core/session.ts'
import { listingState } from './listing.ts'

/** Whether a folder is what the page shows. */
export const inFolder = (): boolean =>
  'show' in decision.value && decision.value.show === 'files' && listingState.value.kind === 'folder'

/** Whether this person has a right, wherever they are. */
export const may = (permission: keyof TokenUser['perm']): boolean => user.value?.perm[permission] ?? false

/** Whether they may use it on what the page shows. */
export const mayHere = (permission: keyof TokenUser['perm']): boolean => inFolder() && may(permission)
