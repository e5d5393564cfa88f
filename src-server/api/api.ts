import type { FastifyInstance } from 'fastify'
import type { WriteRequestForm } from '../contract/request-form.ts'
import { activityCalls } from './activity.ts'
import { archiveCalls } from './archives.ts'
import { keepStreams, parseJson } from './bodies.ts'
import { commandCalls } from './commands.ts'
import type { Api } from './endpoint.ts'
import { readForms } from './forms.ts'
import { healthCalls } from './health.ts'
import { historyCalls } from './history.ts'
import { importCalls } from './imports.ts'
import { jobCalls } from './jobs.ts'
import { liveCalls } from './live.ts'
import { previewCalls } from './previews.ts'
import { publicRequestCalls } from './public-requests.ts'
import { publicShareCalls } from './public-shares.ts'
import { rawCalls } from './raw.ts'
import { requestFormCalls } from './request-form.ts'
import { requestLinkCalls } from './request-links.ts'
import { requestUploadCalls } from './request-uploads.ts'
import { resourceCalls } from './resources.ts'
import { ruleCalls } from './rules.ts'
import { searchCalls } from './search.ts'
import { type SessionRules, sessionCalls } from './session.ts'
import { settingsCalls } from './settings.ts'
import { shareCalls } from './shares.ts'
import { subtitleCalls } from './subtitles.ts'
import { trashCalls } from './trash.ts'
import { tusCalls } from './tus.ts'
import { uploadCalls } from './uploads.ts'
import { userCalls } from './users.ts'

type CallParts = Readonly<{ sessionRules: SessionRules; writeForm: WriteRequestForm }>

/** Registers all calls of the contract: those with JSON bodies in one Fastify scope, those with streams in another. */
export function registerApi(app: FastifyInstance, api: Api, { sessionRules, writeForm }: CallParts): void {
  app.register(async (scope) => {
    parseJson(scope)
    sessionCalls(scope, api, sessionRules)
    userCalls(scope, api)
    settingsCalls(scope, api)
    ruleCalls(scope, api)
    importCalls(scope, api)
    archiveCalls(scope, api)
    healthCalls(scope, api)
    searchCalls(scope, api)
    shareCalls(scope, api)
    publicShareCalls(scope, api)
    requestLinkCalls(scope, api)
    jobCalls(scope, api)
    historyCalls(scope, api)
    trashCalls(scope, api)
    uploadCalls(scope, api)
    liveCalls(scope, api)
    commandCalls(scope, api)
    activityCalls(scope, api)
  })
  app.register(async (scope) => {
    keepStreams(scope)
    readForms(scope)
    resourceCalls(scope, api)
    rawCalls(scope, api)
    subtitleCalls(scope, api)
    previewCalls(scope, api)
  })
  app.register(async (scope) => {
    keepStreams(scope)
    tusCalls(scope, api)
  })
  app.register(async (scope) => {
    parseJson(scope)
    publicRequestCalls(scope, api)
  })
  app.register(async (scope) => {
    keepStreams(scope)
    requestUploadCalls(scope, api)
  })
  app.register(async (scope) => requestFormCalls(scope, api, writeForm))
}
