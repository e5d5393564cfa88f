import type { Draft } from '../../src-ui/editor/drafts.ts'

type Request = { result: unknown; onsuccess?: () => void }

/** The part of IndexedDB that the drafts use, in memory. */
export class FakeDraftStore {
  readonly drafts = new Map<string, Draft>()
  /** Fails each transaction from now on in which this returns true. */
  fails: (mode: IDBTransactionMode, didReadAll: boolean) => boolean = () => false

  /** For the constructor of `Drafts`. */
  readonly open = async (): Promise<IDBDatabase> =>
    ({ transaction: (_name: string, mode: IDBTransactionMode) => this.#transaction(mode) }) as unknown as IDBDatabase

  #transaction(mode: IDBTransactionMode) {
    const requests: Request[] = []
    let didReadAll = false
    const answer = (result: unknown): Request => {
      const request: Request = { result }
      requests.push(request)
      return request
    }
    const all = () => [...this.drafts.values()]
    const store = {
      put: (draft: Draft) => answer(this.drafts.set(draft.id, draft)),
      delete: (id: string) => answer(this.drafts.delete(id)),
      getAll: () => {
        didReadAll = true
        return answer(all())
      },
      index: () => ({
        getAll: ([owner, path]: [number, string]) =>
          answer(all().filter((draft) => draft.owner === owner && draft.path === path)),
      }),
    }
    const transaction = {
      error: null,
      objectStore: () => store,
      commit: () => undefined,
      oncomplete: () => undefined,
      onabort: () => undefined,
    }
    queueMicrotask(() => {
      if (this.fails(mode, didReadAll)) return transaction.onabort()
      for (const { onsuccess } of requests) onsuccess?.()
      transaction.oncomplete()
    })
    return transaction
  }
}
