// All states of the interface, for pictures and for checks.
import { activity } from './activity.ts'
import { jobs } from './jobs.ts'
import { listing } from './listing.ts'
import { live } from './live.ts'
import { menus } from './menus.ts'
import { outside } from './outside.ts'
import { pointer } from './pointer.ts'
import { preview } from './preview.ts'
import { prompts } from './prompts.ts'
import { requests } from './requests.ts'
import { settings } from './settings.ts'
import { shares } from './shares.ts'
import { shell } from './shell.ts'
import type { State } from './state.ts'
import { textsOpened } from './texts-opened.ts'
import { transfers } from './transfers.ts'
import { trash } from './trash.ts'

export const states: readonly State[] = [
  ...outside,
  ...listing,
  ...menus,
  ...prompts,
  ...transfers,
  ...jobs,
  ...pointer,
  ...preview,
  ...textsOpened,
  ...live,
  ...settings,
  ...shares,
  ...requests,
  ...shell,
  ...activity,
  ...trash,
]
