// What the form of a link that takes files in holds, as it was typed.
import type { RequestBody, RequestChanges, RequestLink } from '../../src-server/contract/requests.ts'
import { type EndingKind, endingKinds, kindOf } from '../core/ending-kinds.ts'
import { type Ending, isNumber, isTooShort } from './new-link.ts'

/** Bytes. */
export const sizeUnits = { megabytes: 1e6, gigabytes: 1e9 } as const
export type SizeUnit = keyof typeof sizeUnits

/** Files that a link may take in. */
export const mostFilesEver = 100_000
/** Endings that a link may name. */
export const mostEndings = 64

export type RequestDraft = Ending &
  Readonly<{
    title: string
    text: string
    password: string
    /** The present password is removed. */
    isRemoved: boolean
    fileSize: string
    fileUnit: SizeUnit
    allSize: string
    allUnit: SizeUnit
    mostFiles: string
    filesAnHour: string
    kind: 'any' | EndingKind | 'own'
    endings: string
    asksName: boolean
    hasFolders: boolean
    tells: boolean
  }>

export type RequestProblems = Readonly<
  Partial<Record<'title' | 'count' | 'password' | 'fileSize' | 'allSize' | 'mostFiles' | 'filesAnHour' | 'endings', boolean>>
>

/** A form that nobody has changed. */
export const newRequestDraft = (folder: string): RequestDraft => ({
  ...{ title: folder, text: '', isPermanent: false, count: '10', unit: 'days', password: '', isRemoved: false },
  ...{ fileSize: '200', fileUnit: 'megabytes', allSize: '20', allUnit: 'gigabytes', mostFiles: '10000', filesAnHour: '2000' },
  ...{ kind: 'any', endings: '', asksName: true, hasFolders: true, tells: true },
})

/** @param now milliseconds since the epoch */
export function requestDraftOf(link: RequestLink, now = Date.now()): RequestDraft {
  const { title, text, expire, mostFileBytes, mostBytes, mostFiles, filesAnHour, endings, asksName, hasFolders, tells } = link
  const file = sizeIn(mostFileBytes)
  const all = sizeIn(mostBytes)
  const known = kindOf(endings)
  return {
    ...{ title, text, asksName, hasFolders, tells, password: '', isRemoved: false, isPermanent: expire === 0 },
    ...endOf(expire, now),
    ...{ fileSize: file.size, fileUnit: file.unit, allSize: all.size, allUnit: all.unit },
    ...{ mostFiles: String(mostFiles), filesAnHour: String(filesAnHour) },
    ...{ kind: endings.length === 0 ? 'any' : (known ?? 'own'), endings: endings.join(' ') },
  }
}

/** What is left of the time of a link. Of one that is over nothing, so that no form says that it is not. */
function endOf(expire: number, now: number): Pick<Ending, 'count' | 'unit'> {
  const hours = Math.round((expire - now / 1000) / 3600)
  if (expire === 0) return { count: '10', unit: 'days' }
  if (expire * 1000 <= now) return { count: '', unit: 'days' }
  return hours >= 48
    ? { count: String(Math.round(hours / 24)), unit: 'days' }
    : { count: String(Math.max(1, hours)), unit: 'hours' }
}

/** @param before the form as it was at first: an end that was not changed is not sent @returns undefined when the link can be made or changed */
export function requestProblemsOf(draft: RequestDraft, before = newRequestDraft('')): RequestProblems | undefined {
  const [file, all] = [bytesOf(draft.fileSize, draft.fileUnit), bytesOf(draft.allSize, draft.allUnit)]
  const problems = {
    title: draft.title.trim() === '',
    count: !draft.isPermanent && isEndChanged(draft, before) && !isNumber(draft.count, 1),
    password: isTooShort(draft.password),
    fileSize: file === undefined || (all !== undefined && file > all),
    allSize: all === undefined,
    mostFiles: !isNumber(draft.mostFiles, 1, mostFilesEver),
    filesAnHour: !isNumber(draft.filesAnHour, 1, mostFilesEver),
    endings: draft.kind === 'own' && !areEndings(endingsIn(draft.endings)),
  }
  const wrong = Object.entries(problems).filter(([, isWrong]) => isWrong)
  return wrong.length === 0 ? undefined : Object.fromEntries(wrong)
}

/** What is sent. @param draft one without problems */
export function toRequest(draft: RequestDraft): RequestBody {
  const { count, unit, isPermanent, password } = draft
  return {
    ...fieldsOf(draft),
    ...(!isPermanent && { expires: count.trim(), unit }),
    ...(password !== '' && { password }),
    hasFolders: draft.hasFolders,
  }
}

/** What is sent: only what changes. @param before the form as it was at first */
export function requestChanges(draft: RequestDraft, before: RequestDraft): RequestChanges {
  const [now, then] = [fieldsOf(draft), fieldsOf(before)]
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(then[name as keyof typeof then]),
  )
  const { isPermanent, count, unit, password, isRemoved } = draft
  return {
    ...Object.fromEntries(changed),
    ...(isEndChanged(draft, before) && { expires: isPermanent ? '' : count.trim(), unit }),
    ...(isRemoved ? { password: '' } : password !== '' && { password }),
  }
}

const isEndChanged = (now: Ending, then: Ending): boolean =>
  now.isPermanent !== then.isPermanent || now.count !== then.count || now.unit !== then.unit

function fieldsOf(draft: RequestDraft) {
  const { title, text, fileSize, fileUnit, allSize, allUnit, mostFiles, filesAnHour, kind, endings, asksName, tells } = draft
  return {
    ...{ title: title.trim(), text: text.trim(), asksName, tells },
    mostFileBytes: bytesOf(fileSize, fileUnit) ?? 1,
    mostBytes: bytesOf(allSize, allUnit) ?? 1,
    mostFiles: Number(mostFiles),
    filesAnHour: Number(filesAnHour),
    endings: kind === 'any' ? [] : kind === 'own' ? endingsIn(endings) : [...endingKinds[kind]],
  }
}

/** Whole bytes; undefined for what is no size. */
function bytesOf(text: string, unit: SizeUnit): number | undefined {
  const number = /^\d{1,9}(?:[.,]\d{1,6})?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : 0
  const bytes = Math.round(number * sizeUnits[unit])
  return bytes >= 1 && bytes <= 2 ** 50 ? bytes : undefined
}

function sizeIn(bytes: number): { size: string; unit: SizeUnit } {
  const unit = bytes >= sizeUnits.gigabytes ? 'gigabytes' : 'megabytes'
  return { size: String(bytes / sizeUnits[unit]), unit }
}

const endingsIn = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .map((one) => one.replace(/^\*?\./, ''))
      .filter((one) => one !== ''),
  ),
]

const areEndings = (endings: readonly string[]): boolean =>
  endings.length > 0 && endings.length <= mostEndings && endings.every((one) => /^[\p{Ll}\p{Lo}\p{N}_+-]{1,20}$/u.test(one))
