import { pageConfig } from './page-config.ts'

type Words = { [key: string]: string | Words }

/** The words of a language. @param address below StaticURL, as the page's configuration names it @throws when they cannot be had */
export async function readWords(address: string): Promise<Words> {
  const response = await fetch(`${pageConfig.StaticURL}/${address}`, { method: 'GET' })
  if (!response.ok) throw new Error(`${address} was answered with ${response.status}`)
  return (await response.json()) as Words
}
