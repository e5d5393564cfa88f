import { type Appearance, styleAddress } from './branding.ts'

/** Step of the accent's ramp → its lightness in OKLCH, and how much of the colour's chroma it has. The same as in styles/tokens.css. */
const ramp: readonly (readonly [step: number, lightness: number, chroma: number])[] = [
  [50, 0.979, 0.1],
  [100, 0.945, 0.2],
  [200, 0.905, 0.4],
  [300, 0.84, 0.8],
  [400, 0.756, 1],
  [500, 0.601, 1],
  [600, 0.474, 1],
  [700, 0.414, 0.9],
  [800, 0.354, 0.75],
  [850, 0.311, 0.6],
  [900, 0.274, 0.35],
  [950, 0.224, 0.2],
]

/** A stronger chroma would be cut off in dark steps, and change the lightness that makes texts readable. */
const strongest = 0.15

/** HTML for the head of a page: the accent, the logo, the icons and the style sheet. @param at the address of a name below `static/` */
export function appearanceHead(appearance: Appearance, at: (name: string) => string): string {
  return [
    ...icons(appearance, at),
    ...styles(appearance, at),
    ...(appearance.hasStyle ? [styleLink(at(styleAddress))] : []),
  ].join('\n')
}

/** Whether the branding folder replaces the icon of the product. */
export function hasIcon(appearance: Appearance): boolean {
  return shownIcons.some(([name]) => appearance.has(name))
}

const shownIcons: readonly (readonly [name: string, attributes: string])[] = [
  ['img/icons/favicon.svg', 'rel="icon" type="image/svg+xml"'],
  ['img/icons/favicon.ico', 'rel="icon"'],
  ['img/icons/favicon-32x32.png', 'rel="icon" type="image/png" sizes="32x32"'],
  ['img/icons/favicon-16x16.png', 'rel="icon" type="image/png" sizes="16x16"'],
]

function icons(appearance: Appearance, at: (name: string) => string): string[] {
  const touch = ['img/icons/apple-touch-icon.png', 'rel="apple-touch-icon"'] as const
  return [...shownIcons, touch]
    .filter(([name]) => appearance.has(name))
    .map(([name, attributes]) => `<link ${attributes} href="${at(name)}">`)
}

function styles(appearance: Appearance, at: (name: string) => string): string[] {
  const rules = [
    ...(/^#[0-9a-f]{6}$/i.test(appearance.color) ? [accent(appearance.color)] : []),
    ...(appearance.has('img/logo.svg') ? [logo(at('img/logo.svg'))] : []),
  ]
  return rules.length === 0 ? [] : [`<style>${rules.join('\n')}</style>`]
}

/** With the lightness of the product's own ramp texts are readable in any colour. */
function accent(color: string): string {
  const steps = ramp.map(
    ([step, lightness, share]) => `--accent-${step}:oklch(from ${color} ${lightness} calc(min(c,${strongest})*${share}) h)`,
  )
  return `@supports (color:oklch(from red l c h)){:root{${steps.join(';')}}}`
}

/** Takes the place of the drawn mark, and of the name of the product on the sign-in. The address holds no character of CSS. */
function logo(address: string): string {
  const picture = `background:url("${address}") 0/contain no-repeat`
  return `.mark>*,.bag-card>.wordmark>*{display:none}.mark,.bag-card>.wordmark{${picture}}.bag-card.is-named>svg.wordmark{display:block}[dir=rtl] .mark,[dir=rtl] .bag-card>.wordmark{background-position:100%}`
}

/** Off until the page turns it on: it must not be on the sign-in, on locked links and on the global settings. */
function styleLink(address: string): string {
  return `<link rel="stylesheet" id="branding-style" href="${address}" disabled>`
}
