import { untracked } from '@preact/signals-core'
import { isMac } from '../core/chord.ts'
import { Coalesced } from '../core/coalesce.ts'
import { type Command, commandTableSlice, isReady } from '../core/command.ts'
import type { LaterFeature } from '../core/feature.ts'
import { activeScopes } from '../core/keyboard.ts'
import { liveSlice } from '../core/live.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { reportedSlice } from '../core/own-acts.ts'
import { presenceSlice } from '../core/presence.ts'
import { run } from '../core/run.ts'
import type { Workspace } from '../core/workspace.ts'
import type { Key } from '../i18n/t.ts'
import { jobsSlice } from '../jobs/jobs.ts'
import { actPhrase, flipLabel } from './act-words.ts'
import { actsSlice, type Direction, mayChange } from './acts.ts'
import { flipLast } from './flip-act.ts'
import { offerUndo, offerUndoOfPart } from './offer-undo.ts'
import { ongoingAfter } from './ongoing.ts'

/** Always ready: another page may have done something that this one does not know of. */
const flipCommand = (direction: Direction, rest: Pick<Command, 'label' | 'icon' | 'keys'>): Command => ({
  id: direction,
  ...rest,
  // On the page of the trash too, where the keys of the listing do not count.
  scope: 'everywhere',
  places: ['more'],
  group: 'undo',
  allowed: mayChange,
  currentLabel: (workspace) => {
    const act = workspace.use(actsSlice).next(direction)
    return act && (direction === 'undo' ? act.mayUndo : act.mayRedo) ? flipLabel(act, direction) : undefined
  },
  idle: (workspace) => idleKey(workspace, direction),
  run: (workspace) => flipLast(workspace, direction),
})

/** What goes on is undone after it is stopped. */
function idleKey(workspace: Workspace, direction: Direction): Key | undefined {
  const acts = workspace.use(actsSlice)
  const isIdle = acts.isKnown.value && !acts.next(direction)
  if (direction === 'redo') return isIdle ? 'command.reason.nothingUndone' : undefined
  return isIdle && !ongoingAfter(workspace, undefined) ? 'command.reason.nothingDone' : undefined
}

/** Of Windows too; with Cmd it is the browser's history. */
const redoKeys = isMac() ? ['Mod+Shift+Z'] : ['Mod+Shift+Z', 'Mod+Y']

export const actsLater = {
  commands: [
    flipCommand('undo', { label: 'command.undo', icon: 'arrow-back-up', keys: ['Mod+Z'] }),
    flipCommand('redo', { label: 'command.redo', icon: 'arrow-forward-up', keys: redoKeys }),
  ],
  follow: followActs,
} satisfies LaterFeature

function followActs(workspace: Workspace): void {
  const acts = workspace.use(actsSlice)
  const { returns } = workspace.use(presenceSlice)
  const reported = workspace.use(reportedSlice)
  nameUndoJobs(workspace)
  doEarly(workspace)
  workspace.effect(() => {
    // The first time when the page is idle, and whenever the person comes back to it.
    if (returns.value >= 0) untracked(() => void acts.refreshQuietly())
  })
  // These name what they undo, and another page may have done something since.
  const isNamed = () => ['palette', 'more'].includes(workspace.use(overlaysSlice).current.value.kind)
  workspace.effect(() => {
    if (isNamed()) untracked(() => void acts.refreshQuietly())
  })
  const news = new Coalesced(workspace, 0, () => acts.refreshQuietly())
  const changed = () => {
    if (untracked(() => acts.isShown.value || isNamed())) news.request()
  }
  workspace.onDispose(workspace.use(liveSlice).followNews('acts', changed))
  workspace.effect(() => {
    const { value } = reported
    const offer = value?.isFailure ? offerUndoOfPart : offerUndo
    if (value) untracked(() => void offer(workspace, value.act, value.notice))
  })
}

/** The panel of the jobs says what they undo. */
function nameUndoJobs(workspace: Workspace): void {
  const acts = workspace.use(actsSlice)
  const jobs = workspace.use(jobsSlice)
  const asked = new Set<string>()
  workspace.effect(() => {
    const known = new Map(acts.list.value.map((act) => [act.id, act]))
    jobs.actPhrase.value = (id) => {
      const act = known.get(id)
      return act && actPhrase(act)
    }
    const unknown = jobs.list.value.flatMap(({ act }) => (act === undefined || known.has(act) || asked.has(act) ? [] : [act]))
    for (const id of unknown) asked.add(id)
    if (unknown.length > 0) untracked(() => void acts.refreshQuietly())
  })
}

/** Milliseconds after which a key is not answered any more: something else may have been done since. */
const earlyTime = 5000

/** What was asked for before this part was there. */
function doEarly(workspace: Workspace): void {
  for (const { chord, at } of workspace.use(commandTableSlice).early.splice(0)) {
    if (workspace.now() - at > earlyTime || !activeScopes(workspace).includes('listing')) continue
    const command: Command | undefined = actsLater.commands.find(({ keys }) => keys?.includes(chord))
    if (command && isReady(workspace, command)) void run(workspace, command)
  }
}
