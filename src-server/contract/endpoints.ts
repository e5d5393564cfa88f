// All calls of the server. The routes are registered from this table, and src-ui imports its types.
import { activityEndpoints } from './activity.ts'
import { commandEndpoints } from './commands.ts'
import type { AccessOf as AccessIn, BodyOf, Named, QueryOf, ReplyOf } from './endpoint.ts'
import { fileEndpoints } from './files.ts'
import { historyEndpoints } from './history.ts'
import { importEndpoints } from './imports.ts'
import { jobEndpoints } from './jobs.ts'
import { liveEndpoints } from './live.ts'
import { previewEndpoints } from './previews.ts'
import { requestEndpoints } from './requests.ts'
import { ruleEndpoints } from './rules.ts'
import { searchEndpoints } from './search.ts'
import { sessionEndpoints } from './session.ts'
import { settingsEndpoints } from './settings.ts'
import { shareEndpoints } from './shares.ts'
import { trashEndpoints } from './trash.ts'
import { uploadEndpoints } from './uploads.ts'
import { userEndpoints } from './users.ts'

const all = {
  ...sessionEndpoints,
  ...fileEndpoints,
  ...previewEndpoints,
  ...searchEndpoints,
  ...shareEndpoints,
  ...requestEndpoints,
  ...userEndpoints,
  ...settingsEndpoints,
  ...ruleEndpoints,
  ...importEndpoints,
  ...jobEndpoints,
  ...historyEndpoints,
  ...trashEndpoints,
  ...uploadEndpoints,
  ...liveEndpoints,
  ...activityEndpoints,
  ...commandEndpoints,
} as const
export const endpoints = all satisfies Named<typeof all>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
export type AccessOf<N extends EndpointName> = AccessIn<Endpoints[N]>
export type Query<N extends EndpointName> = QueryOf<Endpoints[N]>
export type Body<N extends EndpointName> = BodyOf<Endpoints[N]>
export type Reply<N extends EndpointName> = ReplyOf<Endpoints[N]>
