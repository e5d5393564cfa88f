import { isolate, t } from '../i18n/t.ts'
import { breadcrumbsOf, parentOf } from './paths.ts'

/** The folder that holds something, as text: `My files / Archive / 2025`, each name in its own direction. */
export const folderText = (path: string): string =>
  breadcrumbsOf(parentOf(path))
    .map(({ name, isEllipsis }) => (isEllipsis ? '…' : isolate(name || t('sidebar.myFiles'))))
    .join(' / ')
