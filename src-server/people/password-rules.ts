import { Failure } from '../base/failure.ts'

/** The minimum length of a password in code points. */
export const shortestPassword = 12

/** @returns why a new password is not accepted, or undefined */
export function validationError(password: string): string | undefined {
  if (!password.isWellFormed()) return 'the password must be well-formed Unicode'
  if ([...password].length < shortestPassword) return `the password must have at least ${shortestPassword} characters`
  return undefined
}

/** @throws Failure('invalid') when a new password is not accepted */
export function checkPassword(password: string) {
  const problem = validationError(password)
  if (problem !== undefined) throw new Failure('invalid', problem)
}
