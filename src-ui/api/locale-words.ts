import { pageConfig } from './page-config.ts'

type Words = { [key: string]: string | Words }

/** Loads the translation of a language. @param address below StaticURL, from the page's configuration @throws when it cannot be loaded */
export async function readWords(address: string): Promise<Words> {
  const response = await fetch(`${pageConfig.StaticURL}/${address}`, { method: 'GET' })
  if (!response.ok) throw new Error(`${address} was answered with ${response.status}`)
  return (await response.json()) as Words
}
