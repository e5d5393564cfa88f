import { StartupError } from './startup-error.ts'

/** The ids of a user of this machine and its group. */
export type HostUser = Readonly<{ uid: number; gid: number }>

/**
 * As root, acts as another user until the returned function is called: what is opened is opened with that user's rights, and what is made
 * belongs to that user. The effective ids are those of all threads. Does nothing for anybody but root, and for root itself.
 * @throws StartupError where root may not do that; the ids are as before then
 */
export function actAs({ uid, gid }: HostUser): () => void {
  const { geteuid, getegid, seteuid, setegid, getgroups, setgroups } = process
  if (!geteuid || !getegid || !seteuid || !setegid || !getgroups || !setgroups || geteuid() !== 0 || uid === 0) return () => {}
  const [group, groups] = [getegid(), getgroups()]
  const undo: (() => void)[] = []
  const giveBack = () => {
    for (const step of undo.toReversed()) step()
  }
  try {
    setgroups([gid])
    undo.push(() => setgroups(groups))
    setegid(gid)
    undo.push(() => setegid(group))
    seteuid(uid)
    undo.push(() => seteuid(0))
  } catch (cause) {
    giveBack()
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause
    throw new StartupError(`The state is of user ${uid}, and this may not act as that user (${code}): run it as that user.`, {
      cause,
    })
  }
  return giveBack
}

/** Does something that waits for nothing as another user. */
export function asUser<T>(user: HostUser, work: () => T): T {
  const giveBack = actAs(user)
  try {
    return work()
  } finally {
    giveBack()
  }
}
