/**
 * The same content. What is withdrawn while it arrives is noticed before the file gets its name.
 * @param confirm throws when the file may no longer be written
 */
export async function* confirmed(
  body: AsyncIterable<Uint8Array>,
  confirm: () => void = () => {},
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* body
  confirm()
}
