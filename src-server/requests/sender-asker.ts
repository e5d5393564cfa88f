// Somebody who sends files by a request link as who asks about uploads. The owner's password and sessions are nothing to it.
import type { Principal } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { joined, type Path, pathBelow } from '../base/paths.ts'
import type { Source } from '../events/events.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { UploadRecord } from '../state/upload-store.ts'
import type { RequestView } from '../state/views.ts'
import type { Asker } from '../uploads/asker.ts'
import type { AccessRevocation, Grant } from '../users/access-revocation.ts'
import { creatorIn, nothingMore, refusalOf, requestTargetOf } from './target.ts'

export type SenderAskerParts = Readonly<{
  revocation: Pick<AccessRevocation, 'holdRequest'>
  viewOf(hash: string): Promise<RequestView | undefined>
  /** The files of who creates for a sender. The operation owns the disk. */
  filesOf(principal: Principal, operation: Operation, how: Readonly<{ source: Source; grant?: Grant | undefined }>): UserFiles
}>

/** Whose the upload of a sender is. */
export const keyOfSender = ({ request }: Pick<UploadRecord, 'request'>): string =>
  request ? senderKey(request.hash, request.sender) : ''

export const senderKey = (hash: string, sender: string): string => `${hash} ${sender}`

type Sending = Pick<Asker, 'source' | 'signal'> &
  Readonly<{
    view: RequestView
    sender: string
    /** In the folder of the link; undefined where all send into that one. */
    folder: string | undefined
    /** The right with which the sender asks. */
    grant?: Grant | undefined
  }>

/** @throws Failure('notFound') when the link leads nowhere */
export function senderAsker(parts: SenderAskerParts, { view, sender, folder, source, signal, grant }: Sending): Asker {
  const { hash, userId } = view.request
  const creator = creatorOf(view, folder)
  return {
    ...{ key: senderKey(hash, sender), userId, source, signal, ...pathsIn(creator) },
    filesIn: (operation) => parts.filesOf(creator, operation, { source, grant }),
    hold: async (operation, asked) => {
      const read = async () => {
        const present = await parts.viewOf(hash)
        if (!present || !requestTargetOf(present)) throw new Failure('notFound')
        if (present.request.closedAt !== undefined) throw nothingMore()
        return present
      }
      const held = await parts.revocation.holdRequest(read, operation, { refusalOf, cut: () => {} })
      const present = creatorOf(held.view, folder)
      return { files: parts.filesOf(present, operation, { source: asked, grant: held.grant }), ...pathsIn(present) }
    },
  }
}

function creatorOf(view: RequestView, folder: string | undefined): Principal {
  const target = requestTargetOf(view)
  if (!target) throw new Failure('notFound')
  return creatorIn(target, folder)
}

function pathsIn({ scope, base }: Pick<Principal, 'scope' | 'base'>): Pick<Asker, 'pathOf' | 'servedOf'> {
  const top = joined(scope, base)
  return {
    pathOf: ({ path }) => pathBelow(top, path as Path),
    servedOf: (path) => joined(top, path),
  }
}
