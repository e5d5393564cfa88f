// The line endings of a text. The editor has one character for every line break; this keeps which one the file had.
import { MapMode, type Range, RangeSet, RangeValue, StateEffect, StateField, type Text } from '@codemirror/state'

export type LineEnding = '\n' | '\r\n' | '\r'

/** A text whose lines end in `\n`, and what is needed to write it as it was. */
export type SplitText = {
  text: string
  /** The ending of most lines, which new lines get. */
  usual: LineEnding
  /** The lines with another ending: where they end in `text`. */
  others: readonly { at: number; ending: LineEnding }[]
}

export function splitEndings(source: string): SplitText {
  const counts = { '\n': 0, '\r\n': 0, '\r': 0 }
  for (const [ending] of source.matchAll(/\r\n?|\n/g)) counts[ending as LineEnding] += 1
  const usual = (['\n', '\r\n', '\r'] as const).reduce((most, ending) => (counts[ending] > counts[most] ? ending : most))
  const others: { at: number; ending: LineEnding }[] = []
  let removed = 0
  const text = source.replace(/\r\n?|\n/g, (ending, at: number) => {
    if (ending !== usual) others.push({ at: at - removed, ending: ending as LineEnding })
    removed += ending.length - 1
    return '\n'
  })
  return { text, usual, others }
}

/** The inverse of `splitEndings`. */
export function joinEndings({ text, usual, others }: SplitText): string {
  if (others.length === 0) return usual === '\n' ? text : text.replaceAll('\n', usual)
  const endings = new Map(others.map(({ at, ending }) => [at, ending]))
  return text.replace(/\n/g, (_break, at: number) => endings.get(at) ?? usual)
}

/** A line break with another ending than the usual one. */
class OtherEnding extends RangeValue {
  readonly ending: LineEnding

  constructor(ending: LineEnding) {
    super()
    this.ending = ending
    // Text that is typed before or after the line break does not belong to it.
    this.startSide = 1
    this.endSide = -1
    this.mapMode = MapMode.TrackDel
  }

  override eq(other: RangeValue): boolean {
    return other instanceof OtherEnding && other.ending === this.ending
  }
}

type Others = RangeSet<OtherEnding>

/** Replaces the endings, with the whole text. */
export const setEndings = StateEffect.define<SplitText['others']>()

/** The line breaks with another ending. Each moves with the text and is removed with its line break. */
export const otherEndings = StateField.define<Others>({
  create: () => RangeSet.empty,
  update(others, transaction) {
    const wanted = transaction.effects.find((one) => one.is(setEndings))
    if (wanted) return endingRanges(wanted.value)
    return transaction.docChanged ? others.map(transaction.changes) : others
  },
})

/** The value of `otherEndings` for a text that was opened. */
export function endingRanges(others: SplitText['others']): Others {
  const ranges: Range<OtherEnding>[] = others.map(({ at, ending }) => new OtherEnding(ending).range(at, at + 1))
  return RangeSet.of(ranges)
}

/** The document as it is written to the file. */
export function writeDocument(doc: Text, usual: LineEnding, others: Others): string {
  const list: { at: number; ending: LineEnding }[] = []
  for (const cursor = others.iter(); cursor.value; cursor.next()) list.push({ at: cursor.from, ending: cursor.value.ending })
  return joinEndings({ text: doc.sliceString(0), usual, others: list })
}
