import { Operation } from '../../src-server/base/operation.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import { Events } from '../../src-server/events/events.ts'
import { UserFiles, type UserFilesParts } from '../../src-server/files/user-files.ts'
import { Previews } from '../../src-server/previews/previews.ts'
import { principal } from './capabilities.ts'

/** The files of a principal with all permissions, on a disk of the test. */
export function userFilesOn(disk: Disk, given: Partial<UserFilesParts> = {}): UserFiles {
  return new UserFiles({
    principal: principal(),
    disk,
    events: new Events(() => {}),
    operation: new Operation(),
    source: { address: '', way: 'page' },
    previews: new Previews(),
    sorting: { by: 'name', asc: true },
    locale: 'en',
    ...given,
  })
}
