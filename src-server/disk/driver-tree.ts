import type { DiskDriver, Granted } from './driver.ts'

/** A hidden folder beside a name that it gets when all in it is whole. */
export interface DriverTree {
  /** The files in it. */
  readonly driver: DiskDriver
  /**
   * Gives it the name, or one of its entries: what else is in it goes then.
   * @param at a free path in the folder in which it was made, which may have another path by now
   * @param onGiving told what identifies it, as `Disk.identify` does, just before
   * @throws Failure('conflict') when the name is taken, or the folder was moved
   */
  give(top: string | undefined, at: Granted, onGiving: (identity: string) => Promise<void>): Promise<void>
  /** Ends it, and removes what has not got the name. */
  end(): Promise<void>
}
