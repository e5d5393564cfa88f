// What one person does act by act, and calls about it.
import type { Act, Undone } from '../../src-server/contract/history.ts'
import { asPrincipal, type PrincipalCalls } from './as-principal.ts'

export type Undoing = Readonly<{ status: number; undone: Undone }>

let fresh = 0

export function historyCalls(url: string, calls: PrincipalCalls) {
  const list = async () => ((await (await calls.ask('GET', '/api/history')).json()) as { acts: Act[] }).acts
  const send = async (id: string, way: 'undo' | 'redo', body: object): Promise<Undoing> => {
    const answer = await calls.ask('POST', `/api/history/${id}/${way}`, { body: JSON.stringify(body) })
    const text = await answer.text()
    return { status: answer.status, undone: (text.startsWith('{') ? JSON.parse(text) : {}) as Undone }
  }
  return {
    list,
    /** Calls of one act. */
    act: (key = `act-${process.pid}-${++fresh}`) => asPrincipal(url, calls.token, { 'Holdall-Act': key }),
    undo: async (id?: string, body: object = {}) => send(id ?? (await list())[0]?.id ?? 'none', 'undo', body),
    redo: async (id?: string, body: object = {}) => send(id ?? (await list())[0]?.id ?? 'none', 'redo', body),
  }
}
