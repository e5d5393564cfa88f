import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import type { LayoutRow } from '../../state/lines.ts'

type Props = { heading: LayoutRow & { kind: 'heading' }; line: number; start: number; span: number }

/** The head of the folders or of the files, and how many there are. */
export function SectionTitle({ heading, line, start, span }: Props) {
  return (
    <div className="section-title" role="row" aria-rowindex={line} style={{ insetBlockStart: start }}>
      <span role="gridcell" aria-colspan={span}>
        {t(`listing.${heading.section}`)}
        <span className="count">{formatNumber(heading.count)}</span>
      </span>
    </div>
  )
}
