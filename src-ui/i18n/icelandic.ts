// The formats of Icelandic, for browsers whose Intl does not know it (those built on Chromium). Facts of CLDR; the test compares
// them with the Intl of Node.js, which knows it.
import { type Formats, pluralRule } from './intl.ts'

/** Formats of Icelandic, for the options that this interface uses. @throws RangeError for a unit without a name */
export const icelandic: Formats = {
  // German separates thousands and decimals as Icelandic does.
  number: (_code, { style, unit = '', unitDisplay, ...rest }) => {
    const plain = new Intl.NumberFormat('de', rest)
    if (style === 'percent') return { format: (value) => `${plain.format(value * 100)}%` }
    if (style !== 'unit') return plain
    return { format: (value) => withUnit(plain.format(value), unit, unitDisplay, pluralRule('is').select(value)) }
  },
  date: (_code, options) => {
    const { dateStyle, timeStyle, ...rest } = options
    const time = new Intl.DateTimeFormat('de', dateStyle ? { ...rest, timeStyle } : options)
    if (!dateStyle) return time
    const digits = new Intl.DateTimeFormat('en', { ...rest, weekday: 'long', year: 'numeric', month: 'numeric', day: 'numeric' })
    return {
      format: (date) => {
        const day = writeDay(digits.formatToParts(date), dateStyle === 'full')
        if (!timeStyle) return day
        return `${day}${dateStyle === 'full' ? ' kl. ' : ', '}${time.format(date)}`
      },
    }
  },
  age: () => ({ format: (value, unit) => writeAge(value, unit) }),
  // Danish joins with the same commas and word.
  list: () => ({ format: (items) => new Intl.ListFormat('da').format(items) }),
}

const months = 'janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember'.split(' ')
const weekdays: Readonly<Record<string, string>> = {
  Monday: 'mánudagur',
  Tuesday: 'þriðjudagur',
  Wednesday: 'miðvikudagur',
  Thursday: 'fimmtudagur',
  Friday: 'föstudagur',
  Saturday: 'laugardagur',
  Sunday: 'sunnudagur',
}

function writeDay(parts: readonly Intl.DateTimeFormatPart[], isFull: boolean): string {
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? ''
  const month = months[Number(part('month')) - 1] ?? ''
  if (isFull) return `${weekdays[part('weekday')]}, ${part('day')}. ${month} ${part('year')}`
  const short = month.length > 3 ? `${month.slice(0, 3)}.` : month
  return `${part('day')}. ${short} ${part('year')}`
}

type Plural = Intl.LDMLPluralRule

const units: Readonly<Record<string, string | readonly [one: string, other: string]>> = {
  second: 'sek.',
  minute: 'mín.',
  hour: 'klst.',
  day: ['dagur', 'dagar'],
  millimeter: 'mm',
  meter: 'm',
  degree: '°',
}

function withUnit(number: string, unit: string, display: string | undefined, plural: Plural): string {
  const name = units[unit]
  if (!name) throw new RangeError(`"${unit}" has no Icelandic name here: add it to units`)
  const written = typeof name === 'string' ? name : name[plural === 'one' ? 0 : 1]
  const isJoined = unit === 'degree' || (display === 'narrow' && unit.endsWith('meter'))
  return `${number}${isJoined ? '' : ' '}${written}`
}

/** Of each unit: past (dative) and future (accusative), one and other; and the words for numbers near 0. */
type Age = { past: readonly [string, string]; future: readonly [string, string]; near: Readonly<Record<number, string>> }

const ages: Readonly<Partial<Record<Intl.RelativeTimeFormatUnit, Age>>> = {
  year: {
    past: ['ári', 'árum'],
    future: ['ár', 'ár'],
    near: { [-1]: 'á síðasta ári', 0: 'á þessu ári', 1: 'á næsta ári' },
  },
  month: {
    past: ['mánuði', 'mánuðum'],
    future: ['mánuð', 'mánuði'],
    near: { [-1]: 'í síðasta mánuði', 0: 'í þessum mánuði', 1: 'í næsta mánuði' },
  },
  week: {
    past: ['viku', 'vikum'],
    future: ['viku', 'vikur'],
    near: { [-1]: 'í síðustu viku', 0: 'í þessari viku', 1: 'í næstu viku' },
  },
  day: {
    past: ['degi', 'dögum'],
    future: ['dag', 'daga'],
    near: { [-2]: 'í fyrradag', [-1]: 'í gær', 0: 'í dag', 1: 'á morgun', 2: 'eftir tvo daga' },
  },
  hour: {
    past: ['klukkustund', 'klukkustundum'],
    future: ['klukkustund', 'klukkustundir'],
    near: { 0: 'þessa stundina' },
  },
  minute: {
    past: ['mínútu', 'mínútum'],
    future: ['mínútu', 'mínútur'],
    near: { 0: 'á þessari mínútu' },
  },
  second: {
    past: ['sekúndu', 'sekúndum'],
    future: ['sekúndu', 'sekúndur'],
    near: { 0: 'núna' },
  },
}

const numbers = new Intl.NumberFormat('de')

function writeAge(value: number, unit: Intl.RelativeTimeFormatUnit): string {
  const age = ages[unit]
  if (!age) throw new RangeError(`"${unit}" has no Icelandic words here: add it to ages`)
  const near = age.near[value]
  if (near !== undefined) return near
  const number = Math.abs(value)
  const [one, other] = value < 0 ? age.past : age.future
  const name = pluralRule('is').select(number) === 'one' ? one : other
  return `${value < 0 ? 'fyrir' : 'eftir'} ${numbers.format(number)} ${name}`
}
