import { HttpFailure } from '../api/http.ts'
import { failureReason } from '../core/failure-reason.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import type { ShownFile } from './content-address.ts'
import { FileCard } from './file-card.tsx'

type Props = { file: ShownFile; failure: unknown; onRetry: () => void }

/** In place of a file that the server refused or the browser cannot show. */
export function ShowFailure({ file, failure, onRetry }: Props) {
  const reason = failure instanceof HttpFailure ? failureReason(failure) : t('preview.broken')
  return (
    <FileCard file={file} reason={reason}>
      <Button icon="refresh" label={t('action.retry')} onClick={onRetry} />
    </FileCard>
  )
}
