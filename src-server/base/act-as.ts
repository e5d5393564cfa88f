/** The ids of a user of this machine and its group. */
export type HostUser = Readonly<{ uid: number; gid: number }>

/**
 * As root, acts as another user until the returned function is called: what is opened is opened with that user's rights, and what is made
 * belongs to that user. The effective ids are those of all threads. Does nothing for anybody but root, and for root itself.
 */
export function actAs({ uid, gid }: HostUser): () => void {
  const { geteuid, getegid, seteuid, setegid, getgroups, setgroups } = process
  if (!geteuid || !getegid || !seteuid || !setegid || !getgroups || !setgroups || geteuid() !== 0 || uid === 0) return () => {}
  const [group, groups] = [getegid(), getgroups()]
  setgroups([gid])
  setegid(gid)
  seteuid(uid)
  return () => {
    seteuid(0)
    setegid(group)
    setgroups(groups)
  }
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
