import { noPermissions } from '../access/permissions.ts'
import type { Principal } from '../access/principal.ts'
import { Operation } from '../base/operation.ts'
import { type Path, rootPath } from '../base/paths.ts'
import type { Disk } from '../disk/disk.ts'
import type { Actor, Events, Source } from '../events/events.ts'
import type { Previews } from '../previews/previews.ts'
import { UserFiles } from './user-files.ts'

type HomeParts = Readonly<{ events: Events; previews: Previews; diskFor(principal: Principal, operation: Operation): Disk }>

/** For whom a folder is made, and from where. */
type Asker = Readonly<{ by: Actor; source: Source }>

/** Makes the home folders of new users, as a job that may create folders anywhere below the served root. */
export function homeFolders({ events, previews, diskFor }: HomeParts): (path: Path, asker: Asker) => Promise<void> {
  return async (path, { by, source }) => {
    const permissions = { ...noPermissions, create: true }
    const principal = { userId: by.id ?? 0, name: by.name, permissions, rules: [], scope: rootPath, base: rootPath }
    const operation = new Operation()
    try {
      const disk = diskFor(principal, operation)
      const job = { ...source, way: 'job' } as const
      const sorting = { by: 'name', asc: true } as const
      await new UserFiles({ principal, disk, events, operation, source: job, previews, sorting, locale: '' }).makeFolder(path)
    } finally {
      await operation.end()
    }
  }
}
