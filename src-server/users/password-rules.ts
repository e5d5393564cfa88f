import { Failure } from '../base/failure.ts'

/** The minimum length of a password in code points. */
export const shortestPassword = 12

/** @returns why a new password is not accepted, or undefined */
export function validationError(password: string): string | undefined {
  return problemOf(password)?.message
}

function problemOf(password: string): Failure | undefined {
  const field = 'password'
  if (!password.isWellFormed()) return new Failure('invalid', 'the password must be well-formed Unicode', { about: { field } })
  if ([...password].length >= shortestPassword) return undefined
  const about = { field, number: shortestPassword }
  return new Failure('invalid', 'the password must have at least {{number}} characters', { about })
}

/** @throws Failure('invalid') when a new password is not accepted */
export function checkPassword(password: string) {
  const problem = problemOf(password)
  if (problem !== undefined) throw problem
}
