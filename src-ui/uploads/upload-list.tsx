import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { useSlice } from '../core/use-workspace.ts'
import { locale } from '../i18n/locale.ts'
import { view } from '../ui/view.tsx'
import type { Phase, UploadJob } from './upload-jobs.ts'
import { UploadRow } from './upload-row.tsx'
import { uploadsSlice } from './uploads-slice.ts'

/** The list of uploads: failed ones and questions first, then running, waiting and finished ones. Only rows in view are rendered. */
export const UploadList = view(function UploadList() {
  const uploads = useSlice(uploadsSlice)
  const box = useRef<HTMLDivElement>(null)
  const { jobs: all, speeds } = uploads.state.value
  const jobs = inOrder(all)
  const virtual = useVirtualizer({
    count: jobs.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (jobs[index]?.phase === 'sending' || jobs[index]?.loaded ? 63 : 54),
    getItemKey: (index) => jobs[index]?.id ?? index,
    overscan: 4,
    paddingStart: 4,
    paddingEnd: 4,
  })
  return (
    <div className="transfers-list" ref={box}>
      <ul className="transfers-rows" style={{ blockSize: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const job = jobs[index]
          return (
            job && (
              <li
                key={key}
                className={`transfer transfer-${job.phase}`}
                aria-setsize={jobs.length}
                aria-posinset={index + 1}
                data-index={index}
                ref={virtual.measureElement}
                style={{ insetBlockStart: start }}
              >
                <UploadRow job={job} {...factsOf(job)} speed={speeds.get(job.id)} language={locale.value.code} />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
})

const ranks: Record<Phase, number> = { failed: 0, asking: 1, sending: 2, waiting: 3, skipped: 4, done: 5 }

function inOrder(jobs: readonly UploadJob[]): UploadJob[] {
  const byRank: UploadJob[][] = [[], [], [], [], [], []]
  for (const job of jobs) byRank[ranks[job.phase]]?.push(job)
  return byRank.flat()
}

// Jobs are changed in place, so the shown values are passed as props, which make the memoized row render again.
const factsOf = ({ phase, loaded, path }: UploadJob) => ({ phase, loaded, path })
