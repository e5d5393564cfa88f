// The sample files of the screenshots: the same names, sizes and dates in every run.
import { mkdir, truncate, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { writeAlbum } from './album.ts'
import { writeTexts } from './texts.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const day = 86_400_000

/** The fixed time of all pages. It lies in the past, so that new tokens of the server have not expired at this time. */
export const now = new Date('2026-11-19T10:20:00Z')

/** Names, sizes in bytes and ages in days of an everyday folder. */
const sample: readonly (readonly [name: string, size: number, age: number])[] = [
  ['Allotment/Beds and paths/sketch.svg', 41 * kibibyte, 3],
  ['Allotment/Receipts/seed merchant.pdf', 88 * kibibyte, 40],
  ['Allotment/Seed trials/notes.md', 5 * kibibyte, 12],
  ['Allotment/Water butts/measurements.csv', 2 * kibibyte, 22],
  ['Allotment/First frost on the leeks.jpg', 4.4 * mebibyte, 1],
  ['Allotment/Pears espaliered along the south wall before the winter pruning and the new wires.jpg', 5.2 * mebibyte, 2],
  ['Allotment/Robin on the fork handle.png', 7.9 * mebibyte, 2],
  ['Allotment/Turning the compost, sped up.mp4', 231 * mebibyte, 3],
  ['Allotment/Dawn chorus over the hedge.flac', 38 * mebibyte, 4],
  ['Allotment/Tenancy agreement, signed.pdf', 1.1 * mebibyte, 30],
  ['Allotment/Planting calendar 2027.xlsx', 96 * kibibyte, 5],
  ['Allotment/What to sow when.md', 7 * kibibyte, 1],
  ['Allotment/irrigation-timer.py', 3 * kibibyte, 8],
  ['Allotment/photographs-2025.tar.gz', 812 * mebibyte, 200],
  ['Allotment/خريطة الحديقة (2).pdf', 640 * kibibyte, 6],
  ['Choir/Winter programme.docx', 60 * kibibyte, 9],
  ['Family/Grandmother’s recipes.pdf', 12 * mebibyte, 400],
  ['Taxes/2025/Receipts/Allotment/Water/summary.pdf', 300 * kibibyte, 250],
  ['Seed trials copy/What to sow when.md', 6 * kibibyte, 9],
  ['Reading list.md', 4 * kibibyte, 0.2],
]

/** The uploads in the screenshots; they are never sent. All are so small that each is one request. */
export const uploads: readonly (readonly [name: string, size: number])[] = [
  ['Bean rows from the shed roof.jpg', 6.1 * mebibyte],
  ['Hedge, before and after.mp4', 15.6 * mebibyte],
  ['Minutes of the November meeting.docx', 48 * kibibyte],
  ['soil-samples.csv', 12 * kibibyte],
  ['Frost dates 1990 to 2026.xlsx', 220 * kibibyte],
  ['Compost temperatures.csv', 31 * kibibyte],
  ['Winter pruning.pdf', 2.4 * mebibyte],
  ['What to sow when.md', 7.4 * kibibyte],
  ['irrigation-timer.py', 3.3 * kibibyte],
]

async function setAge(path: string, days: number) {
  // Varied times of day.
  const minutes = (basename(path).length * 37) % 480
  const when = new Date(now.getTime() - days * day - minutes * 60_000)
  await utimes(path, when, when)
}

async function writeSampleFile(file: string, size: number, age: number) {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, '')
  await truncate(file, Math.round(size))
  await setAge(file, age)
}

/** Writes the sample files. @param root the served folder @param desktop the folder of the uploads */
export async function writeSample(root: string, desktop: string): Promise<void> {
  for (const [name, size, age] of sample) await writeSampleFile(join(root, name), size, age)
  for (const [name, size] of uploads) await writeSampleFile(join(desktop, name), size, 0.5)
  await writeAlbum(join(root, 'Family/Album'), new Date(now.getTime() - 20 * day))
  await writeTexts(join(root, 'Choir/Watering'), new Date(now.getTime() - 2 * day))
  await mkdir(join(root, 'Empty box'))
  for (let number = 1; number <= 10_000; number++) {
    await writeSampleFile(join(root, 'Archive', `scan ${number}.tif`), number * 997, 300 + (number % 60))
  }
  // Making a file changes the time of its folder, so folders get their ages last, the innermost first.
  for (const [name, , age] of sample) {
    for (let folder = dirname(name); folder !== '.'; folder = dirname(folder)) await setAge(join(root, folder), age + 1)
  }
  for (const name of ['Empty box', 'Archive']) await setAge(join(root, name), 60)
}
