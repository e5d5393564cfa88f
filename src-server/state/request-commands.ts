import { Failure } from '../base/failure.ts'
import { actorOf, type By } from './actor.ts'
import { mayManage } from './link-commands.ts'
import type { StateDraft, StoredRequest, StoredUser } from './state-data.ts'

/** What its owner may change of a request link. Whether there is a folder for each sender stays as it was made. */
export type RequestEdit = Readonly<{
  set: Partial<
    Pick<
      StoredRequest,
      | 'title'
      | 'text'
      | 'password'
      | 'expire'
      | 'mostBytes'
      | 'mostFileBytes'
      | 'mostFiles'
      | 'filesAnHour'
      | 'endings'
      | 'asksName'
      | 'tells'
      | 'closedAt'
    >
  >
  remove: readonly ('text' | 'password' | 'endings' | 'closedAt')[]
}>

type OneRequest = { hash: string; by: By }

/** Those of links that take files in. One that has ended or was closed is there until its owner deletes it. */
export const requestCommands = {
  /**
   * @param input.most request links that one user may have
   * @throws Failure('conflict') when the user has too many, Failure('unauthorized' | 'forbidden') when the person may no longer make one
   */
  addRequest(draft: StateDraft, { request, most, by }: { request: StoredRequest; most: number; by: By }): StoredRequest {
    requesterOf(draft, by)
    const own = draft.requests.filter(({ userId }) => userId === request.userId)
    if (own.length >= most) throw new Failure('conflict', 'you have {{number}} links already', { about: { number: most } })
    draft.requests = [...draft.requests, request]
    return request
  },

  /** @throws Failure('notFound') when there is none, or the person may not change it; as addRequest does */
  editRequest(draft: StateDraft, { edit, ...input }: OneRequest & { edit: RequestEdit }): StoredRequest {
    const request = requestIn(draft, input)
    const edited = { ...request, ...edit.set }
    for (const field of edit.remove) delete edited[field]
    return replaceIn(draft, request, edited)
  },

  /** @param input.files so many of those that have arrived the owner has seen @throws as editRequest does */
  seeRequest(draft: StateDraft, { files, ...input }: OneRequest & { files: number }): void {
    const request = requestIn(draft, input)
    if (request.seen < files) replaceIn(draft, request, { ...request, seen: files })
  },

  /** @throws as editRequest does */
  removeRequest(draft: StateDraft, input: OneRequest): void {
    const request = requestIn(draft, input)
    draft.requests = draft.requests.filter((other) => other !== request)
  },
}

function replaceIn(draft: StateDraft, before: StoredRequest, after: StoredRequest): StoredRequest {
  draft.requests = draft.requests.map((other) => (other === before ? after : other))
  return after
}

function requestIn(draft: StateDraft, { hash, by }: OneRequest): StoredRequest {
  const request = draft.requests.find((other) => other.hash === hash)
  const actor = requesterOf(draft, by)
  if (!request || !mayManage(actor, request)) throw new Failure('notFound')
  return request
}

/** Whoever gives a command about a request link. Nothing is downloaded by one. */
function requesterOf(draft: StateDraft, by: By): StoredUser {
  const actor = actorOf(draft, by)
  if (!actor.perm.share || !actor.perm.create) throw new Failure('forbidden', 'the right to this was withdrawn')
  return actor
}
