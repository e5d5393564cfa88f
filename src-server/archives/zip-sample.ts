/** Bytes at the beginning of a content that tell whether it gets shorter. */
export const sampleSize = 64 * 1024

/** What remains of a sample that is worth deflating: the rest of it would not pay for the time. */
const worthwhile = 0.97

/** Whether a content is worth deflating, by its first bytes before and after: it may be compressed already, whatever its name says. */
export function isWorthwhile(sample: Uint8Array, deflated: Uint8Array): boolean {
  return deflated.length <= sample.length * worthwhile
}
