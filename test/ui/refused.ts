// A failure as the page gets it when the server refuses a call.
import { answerFor, problemOf } from '../../src-server/api/failures.ts'
import { type About, Failure, type FailureCode } from '../../src-server/base/failure.ts'
import { type HttpFailure, toFailure } from '../../src-ui/api/http.ts'

/** @param error the failure, or the code, the template of the sentence and the parameters of one */
export function refused(error: Failure | readonly [FailureCode, string, (About | undefined)?]): Promise<HttpFailure> {
  const answer = answerFor(error instanceof Failure ? error : new Failure(error[0], error[1], { about: error[2] ?? {} }))
  const headers = { ...answer.headers, 'Content-Type': 'application/problem+json' }
  return toFailure(new Response(JSON.stringify(problemOf(answer)), { ...answer, headers }))
}
