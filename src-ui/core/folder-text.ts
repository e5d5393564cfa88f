import { t } from '../i18n/t.ts'
import { breadcrumbsOf, parentOf } from './paths.ts'

/** The folder that holds something, as text: `My files / Archive / 2025`. */
export const folderText = (path: string): string =>
  breadcrumbsOf(parentOf(path))
    .map(({ name, isEllipsis }) => (isEllipsis ? '…' : name || t('sidebar.myFiles')))
    .join(' / ')
