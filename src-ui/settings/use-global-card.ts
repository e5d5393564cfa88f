import { useRef, useState } from 'react'
import type { Settings } from '../../src-server/contract/settings.ts'
import { useProof } from '../core/proof.ts'
import { useUnsavedForm } from '../core/unsaved-form.ts'
import { useSaving } from '../core/use-saving.ts'
import { t } from '../i18n/t.ts'
import type { RuleDraft } from '../users/user-draft.ts'
import { type GlobalProblems, globalProblemsOf, noProblems } from './global-problems.ts'
import { type CardParts, type Known, saveCard } from './global-settings.ts'

/** What a card of the global settings works with. */
export type GlobalCard<D> = {
  draft: D
  setDraft: (draft: D) => void
  /** Whether the draft differs from what is stored. */
  isChanged: boolean
  problems: GlobalProblems
  isBusy: boolean
  /** The settings of somebody who changed the same card meanwhile; nothing was stored. */
  theirs: Settings | undefined
  save: () => Promise<void>
  /** Stores this draft over theirs. */
  keepMine: () => Promise<void>
  /** Shows theirs in the card. */
  takeTheirs: () => void
}

type How<D> = {
  /** The fields that the server may refuse. */
  names: readonly string[]
  rulesOf?: (draft: D) => readonly RuleDraft[]
  done: () => string
}

/** The state of a card that is stored by itself. */
export function useGlobalCard<D>(parts: CardParts<D>, known: Known, { names, rulesOf, done }: How<D>): GlobalCard<D> {
  const base = useRef<Pick<Known, 'settings' | 'version'>>(known)
  const [draft, setDraft] = useState(() => parts.toDraft(known.settings))
  const [problems, setProblems] = useState(noProblems)
  const [theirs, setTheirs] = useState<Pick<Known, 'settings' | 'version'>>()
  const { isBusy, save } = useSaving()
  const changeOf = (one: D) => JSON.stringify(parts.toChange(one))
  const isChanged = changeOf(draft) !== changeOf(parts.toDraft(base.current.settings))
  useUnsavedForm(isChanged)
  const sendWithProof = useProof()

  const store = async () => {
    setProblems(noProblems)
    const found: { theirs?: Pick<Known, 'settings' | 'version'> } = {}
    await save({
      work: async () => {
        const ended = await sendWithProof((password) => saveCard(parts, draft, base.current, password))
        if ('theirs' in ended) return void Object.assign(found, ended)
        base.current = ended.stored
        // What was typed while the change was sent stays, to be stored by the next one.
        setDraft((now) => (now === draft ? parts.toDraft(ended.stored.settings) : now))
        setTheirs(undefined)
      },
      done: () => (found.theirs ? undefined : done()),
      failed: t('settings.notUpdated'),
      onFailure: (failure) => {
        const refused = globalProblemsOf(failure, { names, rules: rulesOf?.(draft) ?? [] })
        setProblems(refused ?? noProblems)
        return refused !== undefined
      },
    })
    if (found.theirs) setTheirs(found.theirs)
  }
  const keepMine = () => {
    if (theirs) base.current = theirs
    return store()
  }
  const takeTheirs = () => {
    if (!theirs) return
    base.current = theirs
    setDraft(parts.toDraft(theirs.settings))
    setProblems(noProblems)
    setTheirs(undefined)
  }
  return { draft, setDraft, isChanged, problems, isBusy, theirs: theirs?.settings, save: store, keepMine, takeTheirs }
}
