// What the page without JavaScript of a request link shows: `api/request-form.ts` finds it out, `pages/request-form.ts` writes it.
import type { Refusal } from './refusals.ts'
import type { Receipt, RequestPage } from './requests.ts'

/** What has become of the files of a form. */
export type FormOutcome = Readonly<{
  /** Of what has arrived. */
  receipt?: Receipt | undefined
  /** `isBusy`: it may be taken later. */
  refused: readonly Readonly<{ name: string; refusal?: Refusal | undefined; isBusy?: boolean }>[]
  /** Why a part of it has not come: it could not be read, or the server could not take it then, or at all. */
  broken?: 'unreadable' | 'busy' | 'failed'
}>

/** `wait`: seconds until the next attempt is allowed. */
export type RequestForm = Readonly<{ hash: string }> &
  (
    | Readonly<{ kind: 'locked'; isWrong?: boolean; wait?: number | undefined }>
    | Readonly<{ kind: 'gone' }>
    | Readonly<{ kind: 'failed'; isBusy?: boolean }>
    // While it was sent: the page leads to what there is to see.
    | Readonly<{ kind: 'closed' }>
    | Readonly<{ kind: 'shown'; page: RequestPage; outcome?: FormOutcome | undefined }>
  )

/** The page as HTML, and its Content-Security-Policy. @param languages the header `Accept-Language` */
export type WriteRequestForm = (form: RequestForm, languages: string) => Promise<Readonly<{ html: string; policy: string }>>
