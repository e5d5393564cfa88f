import { useRef, useState } from 'react'
import type { Settings } from '../../src-server/contract/settings.ts'
import { HttpFailure } from '../api/http.ts'
import { saidBy } from '../core/failure-reason.ts'
import { useProof } from '../core/proof.ts'
import { useUnsavedForm } from '../core/unsaved-form.ts'
import { useSaving } from '../core/use-saving.ts'
import { t } from '../i18n/t.ts'
import { refusedRule } from '../users/problems.ts'
import type { RuleDraft } from '../users/user-draft.ts'
import { type CardParts, cardOnTop, type Loaded, saveCard } from './global-settings.ts'

/** What a card of the global settings works with. */
export type GlobalCard<D> = {
  draft: D
  setDraft: (draft: D) => void
  /** Whether the draft differs from what is stored. */
  isChanged: boolean
  problems: GlobalProblems
  isBusy: boolean
  /** The settings of somebody who changed the same field meanwhile; nothing was stored. */
  theirs: Settings | undefined
  /** Stores the draft; over `theirs` when there are such. */
  save: () => Promise<void>
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
export function useGlobalCard<D>(parts: CardParts<D>, loaded: Loaded, { names, rulesOf, done }: How<D>): GlobalCard<D> {
  const base = useRef<Pick<Loaded, 'settings' | 'version'>>(loaded)
  const [draft, setDraft] = useState(() => parts.toDraft(loaded.settings))
  const [problems, setProblems] = useState(noProblems)
  const [theirs, setTheirs] = useState<Pick<Loaded, 'settings' | 'version'>>()
  const { isBusy, save } = useSaving()
  const changeOf = (one: D) => JSON.stringify(parts.toChange(one))
  const isChanged = changeOf(draft) !== changeOf(parts.toDraft(base.current.settings))
  useUnsavedForm(isChanged)
  const sendWithProof = useProof()

  const store = async () => {
    setProblems(noProblems)
    const found: { theirs?: Pick<Loaded, 'settings' | 'version'> } = {}
    await save({
      work: async () => {
        const ended = await sendWithProof((password) => saveCard(parts, draft, base.current, password))
        if ('theirs' in ended) return void Object.assign(found, ended)
        base.current = ended.stored
        // What was typed while the change was sent stays, to be stored by the next one.
        const now = ended.stored.settings
        setDraft((typed) => (typed === draft ? parts.toDraft(now) : cardOnTop(parts, typed, { before: draft, now })))
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
    if (found.theirs) showTheirs(found.theirs)
  }
  /** What this person did not change is theirs from now on. */
  const showTheirs = (now: Pick<Loaded, 'settings' | 'version'>) => {
    const before = parts.toDraft(base.current.settings)
    base.current = now
    setDraft((typed) => cardOnTop(parts, typed, { before, now: now.settings }))
    setTheirs(now)
  }
  const takeTheirs = () => {
    if (!theirs) return
    setDraft(parts.toDraft(theirs.settings))
    setProblems(noProblems)
    setTheirs(undefined)
  }
  return { draft, setDraft, isChanged, problems, isBusy, theirs: theirs?.settings, save: store, takeTheirs }
}

/** What the server refused: the sentence by the name of the field, such as `branding.files`, and the rule that it is about. */
export type GlobalProblems = {
  fields: Readonly<Record<string, string>>
  rule?: { key: number; text: string }
  /** The sentence when it is about no field of the card. */
  other?: string
}

export const noProblems: GlobalProblems = { fields: {} }

/**
 * Finds the field or the rule that a refusal is about.
 * @param names the fields of the card
 * @returns undefined when the settings were not refused: a notice says it then
 */
export function globalProblemsOf(
  failure: unknown,
  { names, rules = [] }: { names: readonly string[]; rules?: readonly RuleDraft[] },
): GlobalProblems | undefined {
  if (!(failure instanceof HttpFailure) || failure.status !== 400) return undefined
  const rule = refusedRule(failure, rules)
  if (rule) return { fields: {}, rule: { key: rule.key, text: saidBy(failure) } }
  const name = names.find((field) => field === failure.refusal?.field)
  return name ? { fields: { [name]: saidBy(failure) } } : { fields: {}, other: saidBy(failure) }
}
