/** What is kept of one person, and what can be undone. */
export type HistoryLimits = Readonly<{
  acts: number
  /** Milliseconds for which an act is kept, and after which further changes under its key are another act. */
  age: number
  idle: number
  /** Changes that are kept of one act and of all, and those that are undone while somebody waits. */
  deeds: number
  inAll: number
  atOnce: number
}>

export const usualLimits: HistoryLimits = {
  ...{ acts: 100, age: 30 * 24 * 3600 * 1000, idle: 600_000 },
  ...{ deeds: 100_000, inAll: 300_000, atOnce: 500 },
}
