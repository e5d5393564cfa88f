/** Some clients encode the whole path a second time. */
export function withoutOuterEncoding(text: string): string {
  if (!/^%2f/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
