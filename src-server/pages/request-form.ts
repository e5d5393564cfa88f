// The page of a request link for browsers without JavaScript. Names and texts of others are escaped.

import { acceptedLanguages } from '../contract/choose-locale.ts'
import type { FormOutcome, RequestForm } from '../contract/request-form.ts'
import type { Receipt, ReceiptList, RequestPage } from '../contract/requests.ts'
import { intlCode, type PageWords, pageWords } from './first-words.ts'
import { escaped, type PageParts } from './index-page.ts'

const english = {
  'request.nobody': 'Nobody else can see it, and neither can you once it is sent.',
  'request.eachAtMost': '{{size}} each at most',
  'request.endings': 'Endings: {{endings}}',
  'request.chooseFiles': 'Choose files',
  'request.name': 'Your name',
  'request.nameHint': 'So that they know whose it is',
  'request.send': 'Send',
  'request.openUntil': 'Open until {{date}}',
  'request.sendAs': 'You send as {{name}}.',
  'request.sent_one': '{{count}} file sent so far',
  'request.sent_other': '{{count}} files sent so far',
  'request.arrived_one': '{{count}} file arrived',
  'request.arrived_other': '{{count}} files arrived',
  'request.notArrived_one': '{{count}} file did not arrive',
  'request.notArrived_other': '{{count}} files did not arrive',
  'request.formBroken': 'Part of the form could not be read, and did not arrive.',
  'request.formCut': 'Part of the form did not arrive.',
  'request.formUnread': 'The form could not be read. Nothing has arrived.',
  'request.received': 'Received',
  'request.for': 'For',
  'request.receipt': 'Receipt',
  'request.saveText': 'Save as text',
  'request.earlier': 'Earlier receipts',
  'request.closed': 'Nothing more is taken in here',
  'request.closedText': 'It closed on {{date}}. Ask whoever sent you the link.',
  'request.footer': 'Received with {{name}}',
  'action.retry': 'Try again',
  'share.locked': 'This link has a password',
  'share.lockedText': 'The person who sent you the link knows it.',
  'share.password': 'Password',
  'share.open': 'Open',
  'share.wrong': 'Wrong password. Check upper and lower case.',
  'share.blocked': 'Too many attempts. Try again in {{time}}.',
  'share.gone': 'This link does not work',
  'share.goneText': 'It has expired or was deleted. Ask the person who sent it for a new one.',
  'error.busy': 'The server is busy.',
  'error.busyText': 'Try again in a moment.',
  'cause.busy': 'The server is busy. Try again in a moment.',
  'share.failed': 'The link could not be opened',
  'share.failedText': 'Check the connection and try again.',
  'size.bytes_one': '{{count}} byte',
  'size.bytes_other': '{{count}} bytes',
  'size.kilobytes': '{{number}} KB',
  'size.megabytes': '{{number}} MB',
  'size.gigabytes': '{{number}} GB',
  'size.terabytes': '{{number}} TB',
  'refusal.kindRefused': 'Files of this kind are not taken in here.',
  'refusal.senderNameMissing': 'Enter your name first.',
  'refusal.foldersRefused': 'Folders are not taken in here.',
  'refusal.fileTooLargeHere': 'The file is larger than what is taken in here.',
  'refusal.tooMuchAtOnce': 'Too much has come in a short time. Try again later.',
  'refusal.noMoreTaken': 'No more can be taken in at the moment.',
  'refusal.fileRefused': 'This file is not taken in here.',
  'refusal.nameTooLong': 'The name is too long.',
  'refusal.pathTooLong': 'The path is too long.',
  'refusal.fileTooLarge': 'The file system of the server cannot hold a file of this size.',
  'refusal.nameRefused': 'The file system of the server does not accept this name.',
} as const

/** The English texts of the page, which a test compares with `locales/en.json`. */
export const formTexts = english

/** The page has no script, and loads nothing of elsewhere. */
const policy = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

type Texts = PageWords<typeof english>
type Words = Texts &
  Readonly<{
    /** @param seconds since the epoch */
    date(seconds: number): string
    size(bytes: number): string
  }>

/** Writes the page. */
export async function writeRequestForm(form: RequestForm, parts: PageParts): Promise<{ html: string; policy: string }> {
  const words = await wordsFor(parts)
  const { code, dir, say } = words
  const { config, assets } = parts
  const sheet = Object.hasOwn(assets.names, 'request.css') ? assets.addressOf('request.css') : undefined
  const address = `${config.BaseURL}/api/public/request/${encodeURIComponent(form.hash)}`
  const html = `<!doctype html>
<html lang="${intlCode(code)}" dir="${dir}"${config.Theme === '' ? '' : ` data-theme="${escaped(config.Theme)}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
${form.kind === 'closed' ? `<meta http-equiv="refresh" content="0; url=${escaped(`${address}/form`)}">` : ''}
<title>${escaped(`${titleOf(form, words)} · ${config.Name}`)}</title>
${sheet === undefined ? '' : `<link rel="stylesheet" href="${escaped(`${config.StaticURL}/${sheet}`)}">`}
</head>
<body>
<div class="login share-door">
<header class="share-header"><strong>${escaped(config.Name)}</strong></header>
<main class="login-middle" id="main"><div class="bag bag-wide">${handle}<div class="bag-card request-form">
${bodyOf(form, words, address)}
</div></div></main>
<footer class="login-foot"><span>${escaped(say('request.footer', { name: isolated(config.Name) }))}</span></footer>
</div>
</body>
</html>
`
  return { html, policy }
}

/** The card is drawn as a bag. */
const handle =
  '<svg class="bag-handle" viewBox="0 0 132 52" aria-hidden="true"><path d="M24 52V37a34 34 0 0 1 34-34h16a34 34 0 0 1 34 34v15"/></svg>'

async function wordsFor({ assets, config, languages }: PageParts): Promise<Words> {
  const words = await pageWords(assets, { languages, codes: Object.keys(config.Locales) }, english)
  const dates = new Intl.DateTimeFormat(regional(intlCode(words.code), languages), {
    ...{ day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: 'numeric', timeZoneName: 'short' },
  })
  return {
    ...words,
    date: (seconds) => dates.format(new Date(seconds * 1000)),
    size: (bytes) => sizeText(bytes, words),
  }
}

/** The reader's own tag of a language, as the page with JavaScript has it: `en-GB` writes 19 Nov 2026. */
const regional = (tag: string, languages: string): string =>
  acceptedLanguages(languages).find((one) => one.startsWith(`${tag}-`) && /^[a-z]{2,3}-[A-Z]{2}$/.test(one)) ?? tag

const units = ['size.kilobytes', 'size.megabytes', 'size.gigabytes', 'size.terabytes'] as const

function sizeText(bytes: number, { say }: Texts): string {
  if (bytes < 1000) return say('size.bytes', { count: bytes })
  const step = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return say(units[step - 1] ?? 'size.terabytes', { number: Number(value.toFixed(value < 100 ? 1 : 0)) })
}

function titleOf(form: RequestForm, { say }: Words): string {
  if (form.kind === 'locked') return say('share.locked')
  if (form.kind === 'gone') return say('share.gone')
  if (form.kind === 'failed') return say(form.isBusy ? 'error.busy' : 'share.failed')
  if (form.kind === 'closed') return say('request.closed')
  return form.page.kind === 'open' ? form.page.title : say('request.closed')
}

function bodyOf(form: RequestForm, words: Words, address: string): string {
  const { say } = words
  if (form.kind === 'locked') return heading(say('share.locked'), say('share.lockedText')) + passwordForm(form, words, address)
  if (form.kind === 'gone') return heading(say('share.gone'), say('share.goneText'))
  if (form.kind === 'failed') {
    const title = form.isBusy
      ? heading(say('error.busy'), say('error.busyText'))
      : heading(say('share.failed'), say('share.failedText'))
    return title + retryLink(words, address)
  }
  if (form.kind === 'closed') return heading(say('request.closed'), '')
  const { page, outcome } = form
  const done = outcome === undefined ? '' : outcomeOf(outcome, { words, address, isClosed: page.kind === 'closed' })
  const receipts = page.receipts.filter(({ number }) => number !== outcome?.receipt?.number)
  const earlier = receiptLinks(receipts, words, address)
  // Why not all has arrived comes first.
  return page.kind === 'open' ? done + openPage(page, words, address) + earlier : closedHeading(page, words) + done + earlier
}

const heading = (title: string, text: string) =>
  `<div class="bag-title"><h1>${escaped(title)}</h1><p>${escaped(text)}</p></div>\n`

/** What was sent by a form is sent again by nobody but the person: it leads to the form. */
const retryLink = ({ say }: Words, address: string) =>
  `<a class="button button-wide" href="${escaped(`${address}/form`)}"><span class="label">${escaped(say('action.retry'))}</span></a>`

const problem = (text: string) => `<p class="field-error" role="alert">${escaped(text)}</p>`

type Locked = Extract<RequestForm, { kind: 'locked' }>

function passwordForm({ isWrong = false, wait }: Locked, { say, code }: Words, address: string): string {
  const seconds = new Intl.NumberFormat(intlCode(code), { style: 'unit', unit: 'second', unitDisplay: 'short' })
  const refusal = wait === undefined ? isWrong && say('share.wrong') : say('share.blocked', { time: seconds.format(wait) })
  return `<form class="bag-form" method="post" action="${escaped(`${address}/unlock`)}">
${refusal ? problem(refusal) : ''}
<label class="field"><span class="field-label">${escaped(say('share.password'))}</span>
<input class="input" type="password" name="password" autocomplete="off" required></label>
<button class="button button-primary button-wide" type="submit"><span class="label">${escaped(say('share.open'))}</span></button>
</form>`
}

type Open = Extract<RequestPage, { kind: 'open' }>

function openPage(page: Open, words: Words, address: string): string {
  const { say, size, date } = words
  const { title, text, endings, mostFileBytes, asksName, name, expire, sentCount } = page
  const kinds = endings && say('request.endings', { endings: isolated(endings.map((ending) => `.${ending}`).join(', ')) })
  const limits = [say('request.eachAtMost', { size: size(mostFileBytes) }), kinds].filter((one) => one !== undefined)
  const accept = endings && ` accept="${escaped(endings.map((ending) => `.${ending}`).join(','))}"`
  const known = name === undefined ? '' : `<p>${escaped(say('request.sendAs', { name: isolated(name) }))}</p>`
  const asked = asksName && name === undefined ? nameField(words) : ''
  return `<div class="bag-title"><h1 dir="auto">${escaped(title)}</h1>
${text === undefined ? '' : `<p class="request-text" dir="auto">${escaped(text)}</p>`}<p>${escaped(say('request.nobody'))}</p></div>
<form class="bag-form" method="post" enctype="multipart/form-data" action="${escaped(`${address}/form`)}">
${known}${asked}<label class="field"><span class="field-label">${escaped(say('request.chooseFiles'))}</span>
<input type="file" name="files" multiple required${accept ?? ''}><span class="field-hint">${escaped(limits.join(' · '))}</span></label>
<button class="button button-primary button-wide" type="submit"><span class="label">${escaped(say('request.send'))}</span></button>
${sentCount === 0 ? '' : `<p class="field-hint">${escaped(say('request.sent', { count: sentCount }))}</p>`}
${expire === 0 ? '' : `<p class="field-hint">${escaped(say('request.openUntil', { date: isolated(date(expire)) }))}</p>`}
</form>`
}

const nameField = ({ say }: Words) => `<label class="field"><span class="field-label">${escaped(say('request.name'))}</span>
<input class="input" name="name" autocomplete="name" dir="auto" maxlength="100" required><span class="field-hint">${escaped(say('request.nameHint'))}</span></label>
`

const closedHeading = ({ closedAt }: Extract<RequestPage, { kind: 'closed' }>, { say, date }: Words) =>
  heading(say('request.closed'), say('request.closedText', { date: isolated(date(closedAt)) }))

function receiptLinks(receipts: ReceiptList, { say, date }: Words, address: string): string {
  if (receipts.length === 0) return ''
  const items = receipts.map(
    ({ number, at }) =>
      `<li><a class="text-link" dir="ltr" href="${escaped(`${address}/receipt/${number}?format=txt`)}">${number}</a> <span class="field-hint">${escaped(date(at))}</span></li>`,
  )
  return `<section class="request-earlier"><h2>${escaped(say('request.earlier'))}</h2><ul>${items.join('')}</ul></section>`
}

type OutcomeHow = Readonly<{ words: Words; address: string; isClosed: boolean }>

/** Names of files are as who sent them wrote them. */
function outcomeOf(outcome: FormOutcome, { words, address, isClosed }: OutcomeHow): string {
  const { say } = words
  const { receipt, refused } = outcome
  const rows = refused.map(
    ({ name, ...why }) =>
      `<li><span><bdi>${escaped(shownName(name))}</bdi></span><span class="field-error">${escaped(reasonOf(why, words))}</span></li>`,
  )
  const failed =
    refused.length === 0
      ? ''
      : `<section class="request-refused" role="alert"><h2>${escaped(say('request.notArrived', { count: refused.length }))}</h2><ul>${rows.join('')}</ul></section>`
  return failed + brokenText(outcome, isClosed, words) + (receipt === undefined ? '' : receiptOf(receipt, words, address))
}

function brokenText({ broken, receipt, refused }: FormOutcome, isClosed: boolean, { say }: Words): string {
  if (broken === undefined) return ''
  if (isClosed) return problem(say('request.formCut'))
  const isPartRead = receipt !== undefined || refused.length > 0
  if (broken === 'unreadable') return problem(say(isPartRead ? 'request.formBroken' : 'request.formUnread'))
  return problem(say('request.formCut')) + (broken === 'busy' ? `<p class="field-hint">${escaped(say('cause.busy'))}</p>` : '')
}

function reasonOf({ refusal, isBusy }: Omit<FormOutcome['refused'][number], 'name'>, { say }: Words): string {
  if (isBusy) return say('cause.busy')
  const key = `refusal.${refusal?.code ?? ''}`
  return say((Object.hasOwn(english, key) ? key : 'refusal.fileRefused') as 'refusal.fileRefused')
}

function receiptOf({ number, at, title, files }: Receipt, { say, date, size }: Words, address: string): string {
  const rows = files.map(
    (file) => `<li><bdi>${escaped(shownName(file.name))}</bdi> <span class="field-hint">${escaped(size(file.size))}</span></li>`,
  )
  return `<section class="request-arrived"><h2>${escaped(say('request.arrived', { count: files.length }))}</h2>
<dl class="request-facts"><dt>${escaped(say('request.received'))}</dt><dd>${escaped(date(at))}</dd>
<dt>${escaped(say('request.for'))}</dt><dd><bdi>${escaped(title)}</bdi></dd>
<dt>${escaped(say('request.receipt'))}</dt><dd class="request-number" dir="ltr">${number}</dd></dl>
<ul>${rows.join('')}</ul>
<a class="button" href="${escaped(`${address}/receipt/${number}?format=txt`)}"><span class="label">${escaped(say('request.saveText'))}</span></a></section>
`
}

/** Characters that reverse what follows deceive about what a name is. */
const shownName = (name: string) => name.replace(/[\p{Cc}\u202a-\u202e]/gu, '\ufffd')
const isolated = (name: string) => `\u2068${shownName(name)}\u2069`
