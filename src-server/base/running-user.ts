/** Who runs this, as a part of a sentence about rights. */
export function runningUser(): string {
  const id = process.geteuid?.()
  return id === undefined ? 'the user as whom this runs' : `user ${id}, as whom this runs,`
}
