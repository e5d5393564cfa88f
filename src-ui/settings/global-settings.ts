import type { HookEvent, Settings, SettingsChange, ShownSettings } from '../../src-server/contract/settings.ts'
import { call, callWithHeaders, HttpFailure } from '../api/http.ts'
import { isSame, onTop } from '../users/on-top.ts'
import { type RuleDraft, ruleDrafts, rulesOf, wordsOf } from '../users/user-draft.ts'

/** The settings of the server as they were last read, with their version, and whether a folder can be chosen as a scope. */
export type Loaded = { settings: ShownSettings; version: string; mayChoose: boolean }

/** The general settings in a form: texts as they are typed. */
export type GeneralDraft = Pick<Settings, 'signup' | 'createUserDir' | 'branding'> & {
  rules: readonly RuleDraft[]
  /** Separated by spaces. */
  shell: string
}

/** What new users begin with, in a form. */
export type DefaultsDraft = Pick<Settings['defaults'], 'scope' | 'locale' | 'perm'> & {
  /** Separated by spaces. */
  commands: string
}

/** Event → its commands, one in each line; and the limits as they are typed. */
export type HooksDraft = Record<HookEvent | keyof Settings['hookLimits'], string>

/** The trash in a form: numbers as they are typed. */
export type TrashDraft = { isOn: boolean; days: string; percent: string }

/** Unfinished uploads in a form. */
export type UploadsDraft = { days: string }

/** How much an archive may hold, in a form: numbers as they are typed. */
export type ArchivesDraft = Record<keyof Settings['archives'], string>

/** A card of the page: how its part of the settings becomes a form, and the form a change. */
export type CardParts<D> = { toDraft: (settings: Settings) => D; toChange: (draft: D) => SettingsChange }

export const general: CardParts<GeneralDraft> = {
  toDraft: ({ signup, createUserDir, branding, rules, shell }) => ({
    ...{ signup, createUserDir, branding },
    rules: ruleDrafts(rules),
    shell: shell.join(' '),
  }),
  toChange: ({ rules, shell, branding, ...same }) => ({
    ...same,
    branding: { ...branding, name: branding.name.trim(), color: branding.color.trim(), files: branding.files.trim() },
    rules: rulesOf(rules),
    shell: wordsOf(shell),
  }),
}

export const userDefaults: CardParts<DefaultsDraft> = {
  toDraft: ({ defaults: { scope, locale, perm, commands } }) => ({ scope, locale, perm, commands: commands.join(' ') }),
  toChange: ({ commands, ...same }) => ({ defaults: { ...same, commands: wordsOf(commands) } }),
}

export const hooks: CardParts<HooksDraft> = {
  toDraft: ({ commands, hookLimits: { seconds, kilobytes } }) => ({
    ...mapped(commands, (lines) => lines.join('\n')),
    seconds: String(seconds),
    kilobytes: String(kilobytes),
  }),
  toChange: ({ seconds, kilobytes, ...texts }) => ({
    commands: mapped(texts, filledLines),
    // What is no number is sent too: the server refuses it by name.
    hookLimits: { seconds: Number(seconds), kilobytes: Number(kilobytes) },
  }),
}

export const trash: CardParts<TrashDraft> = {
  toDraft: ({ trash: { isOn, days, percent } }) => ({ isOn, days: String(days), percent: String(percent) }),
  // What is no number is sent too: the server refuses it by name.
  toChange: ({ isOn, days, percent }) => ({ trash: { isOn, days: Number(days), percent: Number(percent) } }),
}

export const uploads: CardParts<UploadsDraft> = {
  toDraft: ({ uploads: { days } }) => ({ days: String(days) }),
  toChange: ({ days }) => ({ uploads: { days: Number(days) } }),
}

export const archives: CardParts<ArchivesDraft> = {
  toDraft: ({ archives: { gigabytes, ratio, entries, spare } }) => ({
    ...{ gigabytes: String(gigabytes), ratio: String(ratio) },
    ...{ entries: String(entries), spare: String(spare) },
  }),
  toChange: ({ gigabytes, ratio, entries, spare }) => ({
    archives: { gigabytes: Number(gigabytes), ratio: Number(ratio), entries: Number(entries), spare: Number(spare) },
  }),
}

/** The lines of a text that are not empty. */
export const filledLines = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '')

function mapped<T, U>(record: Record<HookEvent, T>, change: (value: T) => U): Record<HookEvent, U> {
  return Object.fromEntries(Object.entries(record).map(([event, value]) => [event, change(value)])) as Record<HookEvent, U>
}

/** The form of a card on top of the settings `now`: what was changed in it since `before` stays. */
export function cardOnTop<D>({ toDraft, toChange }: CardParts<D>, draft: D, { before, now }: { before: D; now: Settings }): D {
  return toDraft({ ...now, ...onTop(toChange(draft), toChange(before), toChange(toDraft(now))) } as Settings)
}

/** @throws HttpFailure */
export async function readSettings(signal?: AbortSignal): Promise<Pick<Loaded, 'settings' | 'version'>> {
  const { reply, headers } = await callWithHeaders('GET /api/settings', signal ? { signal } : {})
  return { settings: reply, version: headers.get('ETag') ?? '' }
}

/** Reads what the page needs. @param ownId of the administrator */
export async function readGlobal(ownId: number, signal: AbortSignal): Promise<Loaded> {
  const [read, { scope }] = await Promise.all([readSettings(signal), call('GET /api/users/:id', { id: ownId, signal })])
  return { ...read, mayChoose: scope === '/' }
}

/**
 * Stores one card. When others have changed other fields meanwhile, it is stored on top of that.
 * @param before the settings that the card was changed from
 * @param currentPassword of who changes them
 * @returns the settings as they are now; not stored when `theirs` holds the settings of somebody who changed the same field
 * @throws HttpFailure
 */
export async function saveCard<D>(
  { toDraft, toChange }: CardParts<D>,
  draft: D,
  { settings: before, version }: Pick<Loaded, 'settings' | 'version'>,
  currentPassword?: string,
): Promise<{ stored: Pick<Loaded, 'settings' | 'version'> } | { theirs: Pick<Loaded, 'settings' | 'version'> }> {
  const mine = toChange(draft)
  const put = async (change: SettingsChange, ifMatch: string) => {
    const confirmation = currentPassword === undefined ? {} : { current_password: currentPassword }
    await call('PUT /api/settings', { body: { ...change, ...confirmation }, ifMatch })
    // They are stored, whether they can be read or not: with the old version, the next save begins by reading them.
    const asSent = { settings: { ...before, ...change } as ShownSettings, version }
    return { stored: await readSettings().catch(() => asSent) }
  }
  try {
    return await put(mine, version)
  } catch (failure) {
    if (!(failure instanceof HttpFailure) || failure.status !== 412) throw failure
    const now = await readSettings()
    const [old, theirs] = [toChange(toDraft(before)), toChange(toDraft(now.settings))]
    const both = onTop(mine, old, theirs)
    // They are the same when nobody has changed what the other one has.
    return isSame(both, onTop(theirs, old, mine)) ? put(both, now.version) : { theirs: now }
  }
}
