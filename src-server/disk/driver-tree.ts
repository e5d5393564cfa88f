import type { DiskDriver, Granted } from './driver.ts'

export type Giving = Readonly<{
  /** Told what identifies it, as `Disk.identify` does, just before it gets the name. */
  onGiving(identity: string): Promise<void>
  /** Makes the folder of the name, where that is missing below the one in which the tree was made. */
  makeFolder?: (() => Promise<void>) | undefined
}>

/** A hidden folder beside a name that it gets when all in it is whole. */
export interface DriverTree {
  /** The files in it. */
  readonly driver: DiskDriver
  /**
   * Gives it the name, or one of its entries: what else is in it goes then.
   * @param at a free path in the folder in which it was made, or below that in what `makeFolder` makes
   * @throws Failure('conflict') when the name is taken, or the folder in which it was made has another path by now
   */
  give(top: string | undefined, at: Granted, giving: Giving): Promise<void>
  /** Ends it, and removes what has not got the name. */
  end(): Promise<void>
}
