// Says that jobs have ended, or ask something, while nobody looked at the page: in its title, and on its icon where it is installed.
import type { Job } from '../../src-server/contract/jobs.ts'
import { pageSlice } from '../core/page.ts'
import { presenceSlice } from '../core/presence.ts'
import type { Workspace } from '../core/workspace.ts'
import { isOver, type Jobs, jobDelay } from './jobs.ts'

/** The badge of an installed page; browsers without one lack the methods. */
type Badge = Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>>

/** Counts from now on, until somebody looks. */
export function followEnds(workspace: Workspace, { list }: Pick<Jobs, 'list'>, badge: Badge = navigator): void {
  const { news } = workspace.use(pageSlice)
  const { isVisible } = workspace.use(presenceSlice)
  let before = new Map<string, boolean>()
  let unseen: string[] = []
  workspace.effect(() => {
    const jobs = new Map(list.value.map((job) => [job.id, needsLook(job)]))
    const isNew = (id: string) => jobs.get(id) === true && before.get(id) === false
    // What somebody has answered or dismissed in another tab needs nobody any more.
    const stillUnseen = unseen.filter((id) => jobs.get(id))
    unseen = isVisible.value ? [] : [...stillUnseen, ...[...jobs.keys()].filter(isNew)]
    before = jobs
    news.value = unseen.length
  })
  workspace.effect(() => {
    // Where it is not allowed the title alone says it.
    const shown = news.value > 0 ? badge.setAppBadge?.(news.value) : badge.clearAppBadge?.()
    shown?.catch(() => {})
  })
  workspace.onDispose(() => {
    news.value = 0
    badge.clearAppBadge?.().catch(() => {})
  })
}

/** One that was too short to be shown needs nobody. */
const needsLook = (job: Job): boolean => job.asked > 0 || (isOver(job) && job.changedAt - job.startedAt >= jobDelay)
