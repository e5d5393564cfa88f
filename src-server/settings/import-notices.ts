import type { ImportNotice } from '../contract/imports.ts'
import type { State } from '../state/state.ts'
import type { PersonView } from '../state/views.ts'

/** What imports have brought, until an administrator has taken note. */
export class ImportNotices {
  readonly #state: Pick<State, 'imports' | 'run'>
  readonly #me: PersonView

  constructor(state: Pick<State, 'imports' | 'run'>, me: PersonView) {
    this.#state = state
    this.#me = me
  }

  /** The newest last. */
  async notices(): Promise<(ImportNotice & { at: number })[]> {
    const imports = await this.#state.imports()
    return imports.flatMap(({ at, notice }) => {
      if (notice === undefined) return []
      const { look, changed, left, ...counts } = notice
      return [{ at, ...counts, look: [...look], changed: [...changed], left: [...left] }]
    })
  }

  /** For all administrators; durable when it resolves. @throws Failure('forbidden') for who is none any more */
  takeNote(): Promise<void> {
    const { user, session } = this.#me
    return this.#state.run('takeNoteOfImports', { by: { userId: user.id, sessionId: session.id } })
  }
}
