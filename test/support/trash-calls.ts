// Calls of the trash in tests.
import type { Purged, Restored, TrashItem, TrashList } from '../../src-server/contract/trash.ts'
import type { PrincipalCalls } from './as-principal.ts'

export async function listed(who: PrincipalCalls, query = ''): Promise<TrashList> {
  const answer = await who.ask('GET', `/api/trash${query && `?${query}`}`)
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as TrashList
}

export const itemsOf = async (who: PrincipalCalls, query?: string): Promise<TrashItem[]> => (await listed(who, query)).items

/** The paths of what a person sees, sorted. */
export const pathsOf = async (who: PrincipalCalls): Promise<string[]> => (await itemsOf(who)).map(({ path }) => path).sort()

export async function restore(who: PrincipalCalls, items: readonly string[], taken?: string): Promise<Restored> {
  const answer = await who.ask('POST', '/api/trash/restore', { body: JSON.stringify({ items, ...(taken && { taken }) }) })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Restored
}

export async function purge(who: PrincipalCalls, what: { items?: readonly string[]; all?: boolean }): Promise<Purged> {
  const answer = await who.ask('DELETE', '/api/trash', { body: JSON.stringify(what) })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Purged
}

/** Deletes what has a path. @returns the id in the trash */
export async function deleted(who: PrincipalCalls, path: string): Promise<string> {
  const answer = await who.remove(path)
  const id = answer.headers.get('Holdall-Trash')
  if (!answer.ok || !id) throw new Error(`DELETE ${path}: ${await answer.text()}`)
  return id
}
