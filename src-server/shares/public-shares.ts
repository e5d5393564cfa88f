import { authorize } from '../access/authorize.ts'
import type { Principal } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import type { Disk } from '../disk/disk.ts'
import type { Source } from '../events/events.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { State } from '../state/state.ts'
import type { RunningShares } from './running-shares.ts'
import { SharedFiles } from './shared-files.ts'
import type { Shares } from './shares.ts'
import { targetOf } from './target.ts'

/** The files and the disk of a principal, both owned by the operation. */
export type OpenedFiles = Readonly<{ files: UserFiles; disk: Disk }>

export type PublicSharesParts = Readonly<{
  shares: Shares
  state: Pick<State, 'data'>
  running: RunningShares
  filesOf(principal: Principal, operation: Operation, source: Source): OpenedFiles
}>

/** A request of somebody who holds a link. */
export type LinkRequest = Readonly<{
  hash: string
  /** The IP address of the client. */
  address: string
  operation: Operation
  /** Closes the connection of a link that is withdrawn meanwhile. */
  cut(): void
}>

/** Opens public links for whoever has their hash. */
export class PublicShares {
  readonly #parts: PublicSharesParts

  constructor(parts: PublicSharesParts) {
    this.#parts = parts
  }

  /**
   * Everything is asked afresh: the link, the rights and the scope of its owner, and whether what was shared is still there. A link
   * that has expired, was deleted or never was is found out by the same look into a table.
   * @throws Failure('notFound') for every link that leads nowhere
   */
  async open({ hash, address, operation, cut }: LinkRequest): Promise<SharedFiles> {
    const link = this.#parts.shares.find(hash)
    const target = link && targetOf(link, this.#parts.state.data)
    if (!link || !target) throw new Failure('notFound')
    this.#parts.running.enter(link, operation, cut)
    const { files, disk } = this.#parts.filesOf(target.principal, operation, { address, way: 'share' })
    const present = await identityOf(disk, target, operation.signal)
    if (!this.#parts.shares.isSame(link, present)) throw new Failure('notFound')
    const isSame = (identity: string) => this.#parts.shares.isSame(link, identity)
    return new SharedFiles({ files, link, target, isSame })
  }
}

async function identityOf(disk: Disk, { principal, path }: NonNullable<ReturnType<typeof targetOf>>, signal: AbortSignal) {
  try {
    return await disk.identify(authorize(principal, 'see', path), signal)
  } catch (error) {
    const isLost = error instanceof Failure && ['notFound', 'forbidden', 'invalid'].includes(error.code)
    if (isLost) throw new Failure('notFound', '', { cause: error })
    throw error
  }
}
