import { useLayoutEffect, useRef, useState } from 'react'
import type { ActivityLine } from '../../src-server/contract/activity.ts'
import { t } from '../i18n/t.ts'
import { Cell, Row, Table, TableBody } from '../ui/table.tsx'
import { view } from '../ui/view.tsx'
import { ActivityRow } from './activity-row.tsx'
import { dayOf, dayWords } from './entry-words.ts'

type Props = { pages: readonly (readonly ActivityLine[])[]; isReading: boolean }

/** The entries under their days. Pages that are far from the window keep their height and have no rows. */
export const ActivityTable = view(function ActivityTable({ pages, isReading }: Props) {
  return (
    <Table
      columns={(['when', 'who', 'what', 'where', 'address'] as const).map((name) => ({ title: t(`activity.${name}`) }))}
      className="table-cards activity-table"
      aria-label={t('activity.title')}
      aria-busy={isReading || undefined}
    >
      {pages.map((page, index) => (
        <Page key={page[0]?.at ?? index} page={page} before={pages[index - 1]?.at(-1)} />
      ))}
    </Table>
  )
})

/** @param before the entry above the page */
const Page = view(function Page({ page, before }: { page: readonly ActivityLine[]; before: ActivityLine | undefined }) {
  const { body, height } = useFarHeight()
  const now = new Date()
  return (
    <TableBody ref={body}>
      {height !== undefined ? (
        <Row>
          <Cell colSpan={5} style={{ blockSize: height, padding: 0 }} />
        </Row>
      ) : (
        page.map((line, index) => {
          const above = page[index - 1] ?? before
          const isFirst = !above || dayOf(above.time) !== dayOf(line.time)
          return <ActivityRow key={line.at ?? index} line={line} day={isFirst ? dayWords(line.time, now) : undefined} />
        })
      )}
    </TableBody>
  )
})

/** The height of a page while it is more than a window's height away from the window; undefined while it is near. */
function useFarHeight() {
  const body = useRef<HTMLTableSectionElement>(null)
  const [height, setHeight] = useState<number>()
  useLayoutEffect(() => {
    const element = body.current
    if (!element) return
    const watcher = new IntersectionObserver(
      (seen) => {
        const latest = seen.at(-1)
        if (latest) setHeight(latest.isIntersecting ? undefined : latest.boundingClientRect.height)
      },
      { root: element.closest('.pane'), rootMargin: '100%' },
    )
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return { body, height }
}
