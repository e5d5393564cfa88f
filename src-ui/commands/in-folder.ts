import type { TokenUser } from '../../src-server/contract/users.ts'
import { listingState } from '../state/listing.ts'
import { decision } from '../state/location.ts'
import { user } from '../state/session.ts'

/** Whether a folder is what the page shows. */
export const inFolder = (): boolean =>
  'show' in decision.value && decision.value.show === 'files' && listingState.value.kind === 'folder'

/** Whether this person has a right, wherever they are. */
export const may = (permission: keyof TokenUser['perm']): boolean => user.value?.perm[permission] ?? false

/** Whether they may use it on what the page shows. */
export const mayHere = (permission: keyof TokenUser['perm']): boolean => inFolder() && may(permission)
