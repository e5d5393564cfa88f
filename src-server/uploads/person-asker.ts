// A signed-in person as who asks about uploads.
import type { Operation } from '../base/operation.ts'
import { joined, type Path, parsePath, pathBelow } from '../base/paths.ts'
import type { Source } from '../events/events.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { UploadRecord } from '../state/upload-store.ts'
import type { AccountView } from '../state/views.ts'
import { type AccessRevocation, accessOf, type Grant, withdrawn } from '../users/access-revocation.ts'
import { mayGoOn, rightsOf } from '../users/rights.ts'
import { type Asker, rightLost } from './asker.ts'

export type PersonAskerParts = Readonly<{
  revocation: Pick<AccessRevocation, 'holdPerson'>
  /** The operation owns the disk. */
  filesOf(caller: Readonly<{ me: AccountView; operation: Operation; source: Source; grant?: Grant | undefined }>): UserFiles
}>

type Person = Pick<Asker, 'source' | 'signal'> & Readonly<{ me: AccountView; grant?: Grant | undefined }>

/** Whose the upload of a person is. */
export const keyOfPerson = ({ userId }: Pick<UploadRecord, 'userId'>): string => `user ${userId}`

/** @param person.grant the right with which they ask */
export function personAsker({ revocation, filesOf }: PersonAskerParts, { me, source, signal, grant }: Person): Asker {
  const pathsIn = (scope: Path) => ({
    pathOf: ({ path }: Pick<UploadRecord, 'path'>) => pathBelow(scope, path as Path),
    servedOf: (path: Path) => joined(scope, path),
  })
  return {
    ...{ key: keyOfPerson({ userId: me.user.id }), userId: me.user.id, source, signal },
    ...pathsIn(parsePath(me.user.scope)),
    filesIn: (operation) => filesOf({ me, operation, source, grant }),
    hold: async (operation, asked) => {
      // News may come before it is held.
      let held: Readonly<{ begun: AccountView; now(): AccountView }> | undefined
      const mayStill = () => !held || mayGoOn(rightsOf(held.begun), rightsOf(held.now()))
      const check = () => {
        if (!mayStill()) throw rightLost()
      }
      const now = await revocation.holdPerson(accessOf(me.user), operation, () => {
        if (!mayStill()) operation.abort(withdrawn)
      })
      const begun = now()
      held = { begun, now }
      const files = filesOf({ me: begun, operation, source: asked, grant: { check } })
      return { files, ...pathsIn(parsePath(begun.user.scope)) }
    },
  }
}
