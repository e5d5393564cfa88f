// What the page without JavaScript of a request link shows: `api/request-form.ts` finds it out, `pages/request-form.ts` writes it.
import type { Refusal } from './refusals.ts'
import type { Receipt, RequestPage } from './requests.ts'

/** What has become of the files of a form. */
export type FormOutcome = Readonly<{
  /** Of what has arrived. */
  receipt?: Receipt | undefined
  refused: readonly Readonly<{ name: string; refusal?: Refusal | undefined }>[]
  /** A part of it could not be read. */
  isBroken?: boolean
}>

/** `wait`: seconds until the next attempt is allowed. */
export type RequestForm = Readonly<{ hash: string }> &
  (
    | Readonly<{ kind: 'locked'; isWrong?: boolean; wait?: number | undefined }>
    | Readonly<{ kind: 'gone' }>
    | Readonly<{ kind: 'failed' }>
    // While it was sent: the page leads to what there is to see.
    | Readonly<{ kind: 'closed' }>
    | Readonly<{ kind: 'shown'; page: RequestPage; outcome?: FormOutcome | undefined }>
  )

/** The page as HTML, and its Content-Security-Policy. @param languages the header `Accept-Language` */
export type WriteRequestForm = (form: RequestForm, languages: string) => Promise<Readonly<{ html: string; policy: string }>>
