// What a picture says about itself. Runs in a decoder.
import exifr from 'exifr'
import type { Camera, Description, Position } from '../contract/previews.ts'
import { headerOf } from './render.ts'

/** @throws Refused */
export async function describePicture(picture: Uint8Array): Promise<Description> {
  const { resolution, exif } = await headerOf(picture)
  const tags = exif && (await tagsIn(exif))
  if (!tags) return { resolution }
  const [camera, place] = [cameraOf(tags), placeOf(tags)]
  return { resolution, ...(camera && { camera }), ...(place && { place }) }
}

type Tags = Readonly<Record<string, unknown>>

/** EXIF data that cannot be read are as good as none. */
async function tagsIn(exif: Uint8Array): Promise<Tags | undefined> {
  const how = { tiff: true, exif: true, gps: true, translateValues: false, reviveValues: false }
  return exifr.parse(exif, how).catch(() => undefined)
}

function cameraOf(tags: Tags): Camera | undefined {
  const camera = present({
    make: text(tags.Make),
    model: text(tags.Model),
    lens: text(tags.LensModel),
    taken: timeOf(tags),
    exposure: positive(tags.ExposureTime),
    aperture: positive(tags.FNumber),
    sensitivity: positive(tags.ISO),
    focalLength: positive(tags.FocalLength),
  })
  return Object.keys(camera).length > 0 ? camera : undefined
}

/** Cameras without a receiver write 0° 0′. */
function placeOf({ latitude, longitude, GPSAltitude: altitude, GPSAltitudeRef: reference }: Tags): Position | undefined {
  if (!isWithin(latitude, 90) || !isWithin(longitude, 180) || (latitude === 0 && longitude === 0)) return undefined
  const isBelowSea = reference === 1 || (reference instanceof Uint8Array && reference[0] === 1)
  return { latitude, longitude, ...(isWithin(altitude, 100_000) && { altitude: isBelowSea ? -altitude : altitude }) }
}

/** `2026:11:19 08:31:40`, and the offset of the zone where the camera knows it. */
function timeOf({ DateTimeOriginal: written, OffsetTimeOriginal: zone }: Tags): string | undefined {
  const found = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(String(written))
  if (!found) return undefined
  const [, year, month, day, time] = found
  const local = `${year}-${month}-${day}T${time}`
  if (Number.isNaN(Date.parse(`${local}Z`))) return undefined
  return /^[+-]\d\d:\d\d$/.test(String(zone)) ? `${local}${zone}` : local
}

/** A line of at most 100 characters. */
function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const line = value.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return line.slice(0, 100).toWellFormed() || undefined
}

function positive(value: unknown): number | undefined {
  const number = Array.isArray(value) ? value[0] : value
  return typeof number === 'number' && number > 0 && number < 1e6 ? number : undefined
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most
}

function present<T extends object>(values: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
