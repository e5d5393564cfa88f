// Placeholders and chosen options that are longer than their field. Runs in the page.
import { type Finding, nameOf } from './find-cuts.ts'
import { isSeen } from './visible-texts.ts'

let context: CanvasRenderingContext2D | null = null

export function findCutFields(): Finding[] {
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')]
  const selects = [...document.querySelectorAll('select')]
  return [
    ...fields.filter(showsPlaceholder).flatMap((field) => cutIn(field, field.placeholder, 0)),
    ...selects.filter(isSeen).flatMap((select) => cutIn(select, select.selectedOptions[0]?.textContent?.trim() ?? '', arrow)),
  ]
}

/** The width of the arrow of a list, which some browsers draw inside of the padding. */
const arrow = 0

const showsPlaceholder = (field: HTMLInputElement | HTMLTextAreaElement) =>
  field.placeholder !== '' && field.value === '' && isSeen(field)

function cutIn(field: HTMLElement, text: string, taken: number): Finding[] {
  const style = getComputedStyle(field)
  const space =
    field.clientWidth - Number.parseFloat(style.paddingInlineStart) - Number.parseFloat(style.paddingInlineEnd) - taken
  const wide = widthOf(text, style)
  return wide > space + 1
    ? [{ kind: 'cut', element: field, text, detail: `${nameOf(field)}: ${Math.round(wide)} in ${Math.round(space)} px` }]
    : []
}

function widthOf(text: string, { font, letterSpacing }: CSSStyleDeclaration): number {
  context ??= document.createElement('canvas').getContext('2d')
  if (!context) throw new Error('the browser draws no canvas')
  context.font = font
  context.letterSpacing = letterSpacing === 'normal' ? '0px' : letterSpacing
  return context.measureText(text).width
}
