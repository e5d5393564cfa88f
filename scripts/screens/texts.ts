// The texts of the screenshots: what the editor opens, and its other versions.
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const guide = `# Planting guide

What to sow, and *when*, on the lower plots. The dates are of [the last ten years](Frost%20dates.csv).

## Before the last frost

1. Broad beans, in a double row
2. Onion sets, 10 cm apart
3. Early peas, below \`fleece\`

> Frost after 12 May is rare here, but it was seen in 2020.

- [x] Order the seed potatoes
- [ ] Mend the cold frame

| Crop | Sow | Plant out | Harvest |
| --- | --- | --- | --- |
| Leeks | March | June | October to March |
| Runner beans | April | late May | July to September |
| Garlic | October | | July |

\`\`\`python
for row in range(4):
    sow("beans", spacing=15)
\`\`\`
`

const rota = `# Who waters when, and with what.
season: 2027
opens: april
beds:
  - name: lower plot
    crops: [leeks, garlic, onions]
    water: [monday, thursday]
    keeper: Miriam
  - name: orchard strip
    crops: [currants, gooseberries]
    water: [saturday]
    keeper: Tobias
  - name: cold frame
    crops: [lettuce, basil]
    water: [daily]
    keeper: Ana
timer:
  start: "06:30"
  minutes: 25
  skip_after_rain: true
notes: >
  The tap by the gate is shut off
  from November until the end of March.
`

/** The rota as another person has saved it meanwhile. */
export const rotaOfOthers = rota
  .replace('opens: april', 'opens: may')
  .replace('keeper: Tobias', 'keeper: Tobias and Ines')
  .replace('minutes: 25', 'minutes: 40')

const crops = ['Leeks', 'Runner beans', 'Garlic', 'Broad beans', 'Early peas', 'Beetroot']

function harvest(): string {
  const rows = Array.from({ length: 400 }, (_, index) => {
    const crop = crops[index % crops.length]
    const remark = index % 7 === 3 ? '"late, because of the dry spring; half was given away"' : ''
    return `${2010 + Math.floor(index / 25)},${crop},${['lower plot', 'orchard strip', 'cold frame'][index % 3]},${(index * 37) % 90},${remark}`
  })
  return `Year,Crop,Bed,Kilograms,Remarks\n${rows.join('\n')}\n`
}

/** More than 10 MiB, which is read in parts. */
function log(): string {
  const line = (index: number) =>
    `valve ${index % 8} open=${index % 3 === 0} litres=${(index * 13) % 400} pressure=2.${index % 10} bar\n`
  return Array.from({ length: 260_000 }, (_, index) => line(index)).join('')
}

/** Writes the texts. @param folder is made @param when the time of all files */
export async function writeTexts(folder: string, when: Date): Promise<void> {
  await mkdir(folder, { recursive: true })
  const invalid = Buffer.concat([Buffer.from('Kilograms of the old scales, ½ and ¼.\n'.repeat(6)), Buffer.of(0xe2, 0x82, 0x0a)])
  const texts = { 'Guide.md': guide, 'rota.yaml': rota, 'Harvest.csv': harvest(), 'valves.log': log(), 'old scales.txt': invalid }
  for (const [name, text] of Object.entries(texts)) {
    await writeFile(join(folder, name), text)
    await utimes(join(folder, name), when, when)
  }
}
