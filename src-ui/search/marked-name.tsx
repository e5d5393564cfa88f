import { visibleName } from '../ui/file-names.ts'

/** A name with the parts that match. @param marks where each begins and ends in UTF-16 units */
export function MarkedName({ name, marks }: { name: string; marks: readonly (readonly [number, number])[] }) {
  const parts: { text: string; at: number; isMarked: boolean }[] = []
  let from = 0
  for (const [begin, end] of marks) {
    parts.push(
      { text: name.slice(from, begin), at: from, isMarked: false },
      { text: name.slice(begin, end), at: begin, isMarked: true },
    )
    from = end
  }
  parts.push({ text: name.slice(from), at: from, isMarked: false })
  return (
    <bdi className="name result-name" title={name}>
      {parts
        .filter(({ text }) => text !== '')
        .map(({ text, at, isMarked }) =>
          isMarked ? <mark key={at}>{visibleName(text)}</mark> : <span key={at}>{visibleName(text)}</span>,
        )}
    </bdi>
  )
}
