import { authorize, isBlocked } from '../access/authorize.ts'
import { pathsOf } from '../access/principal.ts'
import { isWithin, type Path, rootPath } from '../base/paths.ts'
import type { FolderWatch } from '../disk/disk.ts'
import { type ChangedItems, changedItems } from './changed-items.ts'
import { rfc3339 } from './times.ts'
import type { FileContext } from './walk.ts'

export type { ChangedItems, FolderWatch }

/** What following a folder needs of one principal's files, at this moment. */
export class FolderFollowing {
  readonly #context: FileContext

  constructor(context: FileContext) {
    this.#context = context
  }

  /**
   * Watches a folder until the signal is aborted or the watch is closed. Its names are for `changedItems` and for nobody else: no
   * rules were applied. @throws Failure('notFound' | 'forbidden' | 'invalid' when it is no folder | 'busy')
   */
  watch(folder: Path, signal: AbortSignal): Promise<FolderWatch> {
    const { principal, disk } = this.#context
    return disk.watch(authorize(principal, 'see', folder), signal)
  }

  /** What stands at some names of a folder now. @returns undefined when only a listing can tell */
  changedItems(folder: Path, names: readonly string[]): Promise<ChangedItems | undefined> {
    return changedItems(this.#context, folder, names)
  }

  /** When names were last added to a folder or removed, as in its listing. */
  async modifiedAt(folder: Path): Promise<string> {
    const { principal, disk, signal } = this.#context
    return rfc3339((await disk.stat(authorize(principal, 'see', folder), signal)).modified)
  }

  /** Whether the rules, permissions and scope are those of another moment. */
  hasRightsOf(other: FolderFollowing): boolean {
    const { rules, permissions, scope, base } = this.#context.principal
    const { principal } = other.#context
    return (
      rules === principal.rules && permissions === principal.permissions && scope === principal.scope && base === principal.base
    )
  }

  /** A path in the served root, as events carry it. */
  servedPath(path: Path): Path {
    return pathsOf(this.#context.principal, path).served
  }

  /** The principal's path of a path in the served root; undefined when it lies outside, or may not be seen. */
  ownPath(served: Path): Path | undefined {
    const root = this.servedPath(rootPath)
    if (!isWithin(served, root)) return undefined
    const path = (root === '/' ? served : served.slice(root.length) || '/') as Path
    return isBlocked(this.#context.principal, path) ? undefined : path
  }
}
