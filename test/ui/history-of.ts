// The history of a server with folders in memory: what each act left, and going back to what was before it.
import type { Act, ActKind, Undone } from '../../src-server/contract/history.ts'

type Kept = { stand: Record<string, string[]>; trash: Record<string, string> | undefined }
type Held = { act: Act; before: Kept; after: Kept }
export type Noted = { key: string | null; kind: ActKind; folder: string; names: readonly string[]; isForGood?: boolean }

/** Acts are undone as a whole, or not at all when something has changed since. */
export class FolderHistory {
  #acts: Held[] = []
  /** What the next undo finds changed. */
  left: Undone['left'] = []
  /** Keys of the acts whose jobs are at work. */
  readonly running = new Set<string>()

  note({ key, kind, folder, names, isForGood = false }: Noted, before: Kept, after: Kept): void {
    if (key === null || JSON.stringify(before) === JSON.stringify(after)) return
    const last = this.#acts.at(-1)
    if (last?.act.key === key) {
      last.after = structuredClone(after)
      last.act.count += names.length
      last.act.names = [...last.act.names, ...names].slice(0, 3)
      return
    }
    for (const { act } of this.#acts) act.mayRedo = false
    const act: Act = {
      ...{ id: `h${this.#acts.length + 1}`, key, kind, folder, at: this.#acts.length + 1, count: names.length },
      ...{ names: names.slice(0, 3), state: 'done', mayUndo: !isForGood, mayRedo: false, ...(isForGood && { why: 'forGood' }) },
    }
    this.#acts.push({ act, before: structuredClone(before), after: structuredClone(after) })
  }

  /** The newest first. */
  list(): Act[] {
    const shown = (act: Act): Act => {
      const isRunning = this.running.has(act.key) && ({ mayUndo: false, mayRedo: false, why: 'running' } as const)
      return { ...structuredClone(act), ...isRunning }
    }
    return this.#acts.map(({ act }) => shown(act)).toReversed()
  }

  /** @param now is replaced by what was before @returns the answer and its status */
  flip(address: string, body: { rest?: boolean }, now: Kept): [Undone, number] {
    const [, id, by] = /^\/api\/history\/(\w+)\/(undo|redo)$/.exec(address) ?? []
    const held = this.#acts.find(({ act }) => act.id === id)
    if (!held) throw new Error(`no act ${id}`)
    const { act } = held
    const [from, to] = by === 'undo' ? [held.after, held.before] : [held.before, held.after]
    const isSame = JSON.stringify(now) === JSON.stringify(from)
    const changed = act.names.map((name) => ({ path: `${act.folder === '/' ? '' : act.folder}/${name}`, how: 'taken' as const }))
    const left = this.left.length > 0 ? this.left : isSame ? [] : changed
    this.left = []
    if (left.length > 0 && !body.rest) return [{ act: structuredClone(act), done: 0, left }, 409]
    Object.assign(now, structuredClone(to))
    const state = left.length > 0 ? 'partly' : by === 'undo' ? 'undone' : 'done'
    Object.assign(act, { state, mayUndo: state !== 'undone', mayRedo: state !== 'done' })
    return [{ act: structuredClone(act), done: act.count - left.length, left }, 200]
  }
}
