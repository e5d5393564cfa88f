import { Failure } from '../base/failure.ts'

/** Characters (code points) that a password has at least. */
export const shortestPassword = 12

/** @returns what is wrong with a new password, or undefined */
export function validationError(password: string): string | undefined {
  if (!password.isWellFormed()) return 'the password must be well-formed Unicode'
  if ([...password].length < shortestPassword) return `the password must have at least ${shortestPassword} characters`
  return undefined
}

/** @throws Failure('invalid') */
export function checkPassword(password: string) {
  const problem = validationError(password)
  if (problem !== undefined) throw new Failure('invalid', problem)
}
