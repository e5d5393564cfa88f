// How a picture was taken, and where, in the current language.
import type { Camera, Position, Resolution } from '../../src-server/contract/previews.ts'
import { formatNumber } from './format.ts'
import { dateFormat, numberFormat } from './intl.ts'
import { locale } from './locale.ts'
import { t } from './t.ts'

/** `4032 × 3024`. Numbers of pixels are written without separators. */
export function formatResolution({ width, height }: Resolution): string {
  return t('photo.resolution', { width: plain(width), height: plain(height) })
}

/** `12.2 megapixels`; '' for less than a tenth of one. */
export function formatMegapixels({ width, height }: Resolution): string {
  const millions = (width * height) / 1e6
  return millions < 0.1 ? '' : t('photo.megapixels', { number: formatNumber(millions, 1) })
}

/** Maker and model; most models begin with their maker. */
export function cameraName({ make = '', model = '' }: Camera): string {
  const [maker = ''] = make.split(' ')
  const isNamed = maker !== '' && model.toLowerCase().startsWith(maker.toLowerCase())
  return (isNamed ? model : `${make} ${model}`).trim()
}

/** The parts of `1/250 s`, `f/2.8`, `ISO 200` and `35 mm` that are known. */
export function formatExposure({ exposure, aperture, sensitivity, focalLength }: Camera): string[] {
  return [
    exposure && formatSeconds(exposure),
    aperture && t('photo.aperture', { number: formatNumber(aperture, 1) }),
    sensitivity && t('photo.sensitivity', { number: plain(sensitivity) }),
    focalLength && inUnit(focalLength, 'millimeter', 'short', 1),
  ].filter((part) => part !== undefined && part !== 0)
}

/** Longer exposures than this many seconds are not written as fractions. */
const longestFraction = 0.4

function formatSeconds(exposure: number): string {
  if (exposure > longestFraction) return inUnit(exposure, 'second', 'narrow', 1)
  return t('photo.fraction', { part: plain(Math.round(1 / exposure)) })
}

/** The camera's clock, which may differ from that of the reader. @param taken as `Camera.taken` */
export function formatTaken(taken: string): string {
  // Read and written as of one zone, so that neither changes it.
  const clock = new Date(`${taken.slice(0, 19)}Z`)
  if (Number.isNaN(clock.getTime())) return ''
  return dateFormat(locale.value.code, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(clock)
}

/** `UTC+02:00`; '' when the camera does not know it. */
export const zoneOf = (taken: string): string => (taken.length > 19 ? `UTC${taken.slice(19)}` : '')

/** `51.5° S, 0.25° W`. */
export function formatCoordinates({ latitude, longitude }: Position): string {
  const degrees = (value: number) => inUnit(Math.abs(value), 'degree', 'narrow', digits)
  return t('photo.coordinates', {
    latitude: t(latitude < 0 ? 'photo.south' : 'photo.north', { degrees: degrees(latitude) }),
    longitude: t(longitude < 0 ? 'photo.west' : 'photo.east', { degrees: degrees(longitude) }),
  })
}

/** `35 m above the sea`; '' when it is not known. */
export function formatAltitude({ altitude }: Position): string {
  if (altitude === undefined) return ''
  return t(altitude < 0 ? 'photo.belowSea' : 'photo.aboveSea', { height: inUnit(Math.abs(altitude), 'meter', 'short', 0) })
}

/** As programs write and read it: `-51.5, -0.25`. */
export const coordinatesOf = ({ latitude, longitude }: Position): string => `${decimals(latitude)}, ${decimals(longitude)}`

/** A map around the place, of a service that needs no account. */
export function mapAddress({ latitude, longitude }: Position): string {
  const [north, east] = [decimals(latitude), decimals(longitude)]
  return `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=15/${north}/${east}`
}

/** Decimals of degrees: a metre, which is more than receivers know. */
const digits = 5

const decimals = (degrees: number): string => String(Number(degrees.toFixed(digits)))

const plain = (number: number): string => numberFormat(locale.value.code, { useGrouping: false }).format(number)

function inUnit(value: number, unit: string, unitDisplay: 'short' | 'narrow', maximumFractionDigits: number): string {
  return numberFormat(locale.value.code, { style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(value)
}
