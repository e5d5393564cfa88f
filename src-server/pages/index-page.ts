// Serves the page of the interface and its files.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import type { PageConfig } from '../contract/page.ts'
import { appearanceHead, hasIcon } from './appearance-head.ts'
import type { Asset, Assets } from './assets.ts'
import type { Appearance, Branding } from './branding.ts'
import { type FirstWords, firstWords } from './first-words.ts'

/** Routes that are not in the contract. */
export const pageRoutes = ['GET /static/*'] as const

/** The page's Content-Security-Policy. Inline styles are allowed because dialogs and menus set them; inline scripts are not. */
const pagePolicy = (captchaHost: string) => {
  const outside = captchaHost && ` ${captchaSources(captchaHost)}`
  return [
    "default-src 'none'",
    `script-src 'self'${outside}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    `connect-src 'self'${outside}`,
    "font-src 'self'",
    "worker-src 'self' blob:",
    `frame-src 'self'${outside}`,
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}

/** The hosts of Google load a part of their script from another one. */
function captchaSources(host: string): string {
  const isOfGoogle = ['https://www.google.com', 'https://www.recaptcha.net'].includes(host)
  return isOfGoogle ? `${host} https://www.gstatic.com` : host
}

/** The addresses contain a hash of the contents, so the content of an address never changes. */
const forever = 'public, max-age=31536000, immutable'

/** A worker obeys the policy of its own file: that of pdf.js compiles decoders of pictures. */
const workerPolicy = "default-src 'none'; script-src 'wasm-unsafe-eval'"

/** A drawing of the branding folder must not run anything when it is opened by itself. */
const drawingPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

/** Registers the files below `static/`: those of the interface, and those of the branding. */
export function staticFiles(app: FastifyInstance, assets: Assets, branding: Branding): void {
  app.get('/static/*', async (request, reply) => {
    const address = (request.params as { '*': string })['*']
    const asset = await assets.find(address, String(request.headers['accept-encoding'] ?? ''))
    if (!asset) return sendBranding(request, reply, await branding.find(address))
    reply.headers({
      'Cache-Control': forever,
      ETag: asset.etag,
      Vary: 'Accept-Encoding',
      'Cross-Origin-Resource-Policy': 'same-origin',
      ...(/-worker-\w+\.js$/.test(address) && { 'Content-Security-Policy': workerPolicy }),
    })
    if (isKnown(request, asset.etag)) return reply.code(304).send()
    if (asset.encoding) reply.header('Content-Encoding', asset.encoding === 'br' ? 'br' : 'gzip')
    return reply.type(asset.type).send(asset.body)
  })
}

/** The content of these addresses changes with the settings and the folder. */
function sendBranding(request: FastifyRequest, reply: FastifyReply, asset: Asset | undefined) {
  if (!asset) throw new Failure('notFound')
  reply.headers({
    'Cache-Control': 'no-cache',
    ETag: asset.etag,
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(asset.type === 'image/svg+xml' && { 'Content-Security-Policy': drawingPolicy }),
  })
  if (isKnown(request, asset.etag)) return reply.code(304).send()
  return reply.type(asset.type).send(asset.body)
}

function isKnown(request: FastifyRequest, etag: string) {
  const known = request.headers['if-none-match'] ?? ''
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/**
 * What a page is made of. Configuration and look are made for each request, because settings change. `languages`: the header
 * `Accept-Language`.
 */
export type PageParts = Readonly<{ assets: Assets; config: PageConfig; appearance: Appearance; languages: string }>

/** Sends the page. */
export async function sendPage(reply: FastifyReply, parts: PageParts): Promise<FastifyReply> {
  const words = await wordsOf(parts)
  const fallback = escaped(words.say('app.needsScript', { name: parts.config.Name }))
  const html = htmlOf(parts, words, { entry: 'main', preload: parts.assets.preload, head: '', fallback })
  return sendHtml(reply, html, parts.config.ReCaptchaHost)
}

/**
 * Sends the page of a public link, the same for every hash: the page asks what it leads to. Without JavaScript it has the download.
 * @param path of the request, percent-encoded, without the base URL
 */
export async function sendSharePage(reply: FastifyReply, parts: PageParts, path: string): Promise<FastifyReply> {
  const words = await wordsOf(parts)
  const download = `${parts.config.BaseURL}/api/public/dl/${path.slice('/share/'.length)}`
  const button = `<a class="button button-primary" href="${escaped(download)}">${escaped(words.say('command.download'))}</a>`
  const fallback = `<main class="login"><div class="login-middle">${button}</div></main>`
  return sendHtml(reply, htmlOf(parts, words, { entry: 'share', preload: [], head: `\n${linkHead}`, fallback }))
}

/**
 * Sends the page of a link that takes files in, the same for every hash. Without JavaScript it leads to a form.
 * @param path of the request, percent-encoded, without the base URL
 */
export async function sendRequestPage(reply: FastifyReply, parts: PageParts, path: string): Promise<FastifyReply> {
  const words = await wordsOf(parts)
  const form = `${parts.config.BaseURL}/api/public/request/${path.split('/')[2] ?? ''}/form`
  const head = `\n${linkHead}\n<noscript><meta http-equiv="refresh" content="0; url=${escaped(form)}"></noscript>`
  return sendHtml(reply, htmlOf(parts, words, { entry: 'request', preload: [], head, fallback: '' }))
}

const wordsOf = ({ assets, config, languages }: PageParts): Promise<FirstWords> =>
  firstWords(assets, { languages, codes: Object.keys(config.Locales) })

/** Whether an address, without the base URL, is that of the page of a public link. */
export function isSharePage(path: string, assets: Assets): boolean {
  return /^\/share\/[\w=-]{1,128}(\/|$)/.test(path) && Object.hasOwn(assets.names, 'share.js')
}

/** Whether an address, without the base URL, is that of the page of a link that takes files in. */
export function isRequestPage(path: string, assets: Assets): boolean {
  return /^\/request\/[\w=-]{1,128}\/?$/.test(path) && Object.hasOwn(assets.names, 'request.js')
}

/** Search engines must not show links. Without JavaScript nothing removes the startup picture, which would cover the download. */
const linkHead = `<meta name="robots" content="noindex">
<noscript><style>#startup { display: none }</style></noscript>`

function sendHtml(reply: FastifyReply, html: string, captchaHost = ''): FastifyReply {
  return reply
    .header('Content-Security-Policy', pagePolicy(captchaHost))
    .header('Cache-Control', 'no-cache')
    .header('Vary', 'Accept-Language')
    .type('text/html; charset=utf-8')
    .send(html)
}

/** Shown until the interface has rendered and removes it. Its style is in main.css. */
const startup = (label: string) => `<div id="startup" class="startup" role="status" aria-label="${escaped(label)}">
<svg class="mark startup-mark" viewBox="0 0 32 32" aria-hidden="true">
<path class="mark-body" d="M9 11.5h14a7 7 0 0 1 7 7V23a5 5 0 0 1-5 5H7a5 5 0 0 1-5-5v-4.5a7 7 0 0 1 7-7z"/>
<path class="mark-strap" d="M10.5 28V10a5.5 5.5 0 0 1 11 0v18M10.5 19.5h11"/>
</svg>
<span class="meter meter-waiting"><span></span></span>
</div>`

type Entry = Readonly<{
  /** The name of the script and of the style sheet. */
  entry: 'main' | 'share' | 'request'
  preload: readonly string[]
  /** HTML. */
  head: string
  /** HTML that is shown without JavaScript. */
  fallback: string
}>

/** The HTML of a page. Texts from the settings are escaped, and the configuration is not executed. */
function htmlOf({ assets, config, appearance }: PageParts, words: FirstWords, { entry, preload, head, fallback }: Entry): string {
  const at = (address: string) => escaped(`${config.StaticURL}/${address}`)
  const optional = (name: string, tag: (address: string) => string) =>
    Object.hasOwn(assets.names, name) ? tag(at(assets.addressOf(name))) : ''
  // The words are asked for by the script, which has to be loaded first.
  const locale = words.code === 'en' ? undefined : config.Locales[words.code]
  return `<!doctype html>
<html lang="${new Intl.Locale(words.code)}" dir="${words.dir}"${config.Theme === '' ? '' : ` data-theme="${escaped(config.Theme)}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(config.Name)}</title>${head}
${hasIcon(appearance) ? '' : optional('favicon.svg', (address) => `<link rel="icon" type="image/svg+xml" href="${address}">`)}
${optional(`${entry}.css`, (address) => `<link rel="stylesheet" href="${address}">`)}
${appearanceHead(appearance, at)}
${preload.map((address) => `<link rel="modulepreload" href="${at(address)}">`).join('')}
${locale === undefined ? '' : `<link rel="preload" as="fetch" crossorigin="anonymous" href="${at(locale)}">`}
<script type="application/json" id="holdall-config">${inert(config)}</script>
<script type="module" src="${at(assets.addressOf(`${entry}.js`))}"></script>
</head>
<body>
<div id="root"></div>
${startup(words.say('app.loading'))}
<noscript>${fallback}</noscript>
</body>
</html>
`
}

/** JSON for a script element: without '<' no text can close the element or open a comment. */
function inert(config: PageConfig) {
  return JSON.stringify(config).replaceAll('<', '\\u003c')
}

export function escaped(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
