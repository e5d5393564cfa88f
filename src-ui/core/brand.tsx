import { baseURL, pageConfig } from '../api/page-config.ts'
import { t } from '../i18n/t.ts'

/** The logo, or the configured name, as a link to the root folder. */
export function Brand({ className = '' }: { className?: string }) {
  const isOurs = pageConfig.Name === '' || pageConfig.Name === 'Holdall'
  return (
    <a className={`brand ${className}`.trim()} href={`${baseURL}/files/`} data-command="go.home" title={t('command.goHome')}>
      <Mark />
      {isOurs ? (
        <Wordmark />
      ) : (
        <span className="brand-name" dir="auto">
          {pageConfig.Name}
        </span>
      )}
    </a>
  )
}

/** The symbol of the logo: a bag. */
export function Mark({ className = '' }: { className?: string }) {
  return (
    <svg className={`mark ${className}`.trim()} viewBox="0 0 32 32" aria-hidden="true">
      <path className="mark-body" d="M9 11.5h14a7 7 0 0 1 7 7V23a5 5 0 0 1-5 5H7a5 5 0 0 1-5-5v-4.5a7 7 0 0 1 7-7z" />
      <path className="mark-strap" d="M10.5 28V10a5.5 5.5 0 0 1 11 0v18M10.5 19.5h11" />
    </svg>
  )
}

/** The name of the product as a drawing; a logo of the branding takes its place on the sign-in. */
export function Wordmark() {
  return (
    <svg className="wordmark" viewBox="0 0 82 24" role="img" aria-label={pageConfig.Name || 'Holdall'}>
      <path d="M3 4.5v15M14 4.5v15M3 11.75h11M34.5 3.5v16M49.25 3.5v16M64.75 9v10.5M71 3.5v16M77.25 3.5v16" />
      <circle cx="24" cy="14.25" r="5.25" />
      <circle cx="44" cy="14.25" r="5.25" />
      <circle cx="59.5" cy="14.25" r="5.25" />
    </svg>
  )
}
