import { authorize } from '../access/authorize.ts'
import { noPermissions } from '../access/permissions.ts'
import type { Principal } from '../access/principal.ts'
import { noRules } from '../access/rules.ts'
import { Operation } from '../base/operation.ts'
import { type Path, parentOf, rootPath } from '../base/paths.ts'
import type { Disk } from '../disk/disk.ts'
import type { Actor, Events, Source } from '../events/events.ts'
import { removeEmptyFolder } from './empty-folders.ts'
import { ensureFolder } from './folders.ts'
import type { FileContext } from './walk.ts'

type HomeParts = Readonly<{ events: Events; diskFor(principal: Principal, operation: Operation): Disk }>

/** For whom a folder is made, and from where. */
type Asker = Readonly<{ by: Actor; source: Source }>

/** The home folders of new users, made as a job that may create folders anywhere below the served root. */
export class HomeFolders {
  readonly #parts: HomeParts

  constructor(parts: HomeParts) {
    this.#parts = parts
  }

  /** Makes a folder and those above it; one that is there is fine. @throws Failure('conflict') when a file is in the way */
  make(path: Path, asker: Asker): Promise<void> {
    return this.#run(asker, (context) => this.#announced(path, asker, () => ensureFolder(context, path)))
  }

  /** Makes a folder that must not be there yet, and those above it. @throws Failure('conflict') */
  makeNew(path: Path, asker: Asker): Promise<void> {
    return this.#run(asker, async (context) => {
      await ensureFolder(context, parentOf(path))
      const capability = authorize(context.principal, 'create', path)
      await this.#announced(path, asker, () => context.disk.makeFolder(capability, undefined, context.signal))
    })
  }

  /** Removes a folder; one that holds something stays. */
  removeEmpty(path: Path, asker: Asker): Promise<void> {
    // The failure that led here is the one to report.
    return this.#run(asker, async (context) => void (await removeEmptyFolder(context, path)))
  }

  #announced(path: Path, { by, source }: Asker, work: () => Promise<void>): Promise<void> {
    return this.#parts.events.around({ kind: 'upload', path, isDir: true, by, ...source, way: 'job' }, work)
  }

  async #run(asker: Asker, work: (context: FileContext) => Promise<void>): Promise<void> {
    const permissions = { ...noPermissions, create: true, delete: true }
    const whose = { userId: asker.by.id ?? 0, name: asker.by.name, permissions }
    const principal = { ...whose, rules: noRules, scope: rootPath, base: rootPath }
    const operation = new Operation()
    try {
      await work({ principal, disk: this.#parts.diskFor(principal, operation), signal: operation.signal })
    } finally {
      await operation.end()
    }
  }
}
