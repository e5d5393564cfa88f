// Calls about the jobs of one person.
import assert from 'node:assert/strict'
import type { Job, JobDetails } from '../../src-server/contract/jobs.ts'
import type { PrincipalCalls } from './as-principal.ts'
import { until } from './until.ts'

export type JobAsked = Readonly<{
  id?: string
  kind: string
  entries?: readonly string[]
  all?: boolean
  to?: string | undefined
  taken?: string
  choices?: Readonly<Record<string, string>>
  algorithm?: string
  name?: string | undefined
  format?: string
  trash?: boolean
  act?: string | undefined
  redo?: boolean
  rest?: boolean
}>

let fresh = 0

export function jobCalls(calls: PrincipalCalls) {
  const send = (method: string, address: string, body?: object) =>
    calls.ask(method, address, body === undefined ? {} : { body: JSON.stringify(body) })
  const details = async (id: string) => {
    const answer = await send('GET', `/api/jobs/${id}`)
    assert.equal(answer.status, 200, id)
    return (await answer.json()) as JobDetails
  }
  return {
    start: async (asked: JobAsked) => {
      const answer = await send('POST', '/api/jobs', { id: `job-${process.pid}-${++fresh}`, ...asked })
      const text = await answer.text()
      return { status: answer.status, text, job: (answer.ok ? JSON.parse(text) : {}) as JobDetails }
    },
    list: async () => ((await (await send('GET', '/api/jobs')).json()) as { jobs: Job[] }).jobs,
    details,
    change: async (id: string, body: object) => (await send('PATCH', `/api/jobs/${id}`, body)).status,
    remove: async (id: string) => (await send('DELETE', `/api/jobs/${id}`)).status,
    /** Waits until a job has a state. */
    reaches: async (id: string, ...states: readonly string[]) => {
      let job = await details(id)
      await until(
        async () => {
          job = await details(id)
          return states.includes(job.state)
        },
        `the job is ${states.join(' or ')}`,
      )
      return job
    },
  }
}
