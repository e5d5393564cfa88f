import type { Settings } from '../../src-server/contract/settings.ts'
import { pageConfig } from '../api/page-config.ts'
import { t } from '../i18n/t.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field, Labelled } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { view } from '../ui/view.tsx'
import { Looks } from './looks.tsx'

type Branding = Settings['branding']

type Props = {
  branding: Branding
  /** By the name of the field, such as `branding.files`. */
  problems: Readonly<Record<string, string>>
  onBranding: (branding: Branding) => void
}

const themes = ['', 'light', 'dark'] as const
/** The names of the themes. */
export const themeLabels = {
  '': 'settings.branding.themeSystem',
  light: 'settings.branding.themeLight',
  dark: 'settings.branding.themeDark',
} as const

/** How the page presents itself, with a preview. */
export const BrandingFields = view(function BrandingFields({ branding, problems, onBranding }: Props) {
  const set = (changed: Partial<Branding>) => onBranding({ ...branding, ...changed })
  const code = { className: 'input-code', dir: 'ltr', autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
  return (
    <>
      <Field
        label={t('settings.branding.name')}
        error={problems['branding.name']}
        dir="auto"
        placeholder="Holdall"
        autoComplete="off"
        value={branding.name}
        onChange={(event) => set({ name: event.target.value })}
      />
      <div className="pair">
        <Select
          label={t('settings.branding.theme')}
          value={branding.theme}
          options={themes.map((value) => ({ value, label: t(themeLabels[value]) }))}
          onValue={(theme) => set({ theme })}
        />
        <Field
          {...code}
          label={t('settings.branding.color')}
          error={problems['branding.color']}
          placeholder="#286a51"
          value={branding.color}
          onChange={(event) => set({ color: event.target.value })}
        />
      </div>
      <Field
        {...code}
        label={t('settings.branding.files')}
        hint={t('settings.branding.filesHint', { style: '\u2066custom.css\u2069', logo: '\u2066img/logo.svg\u2069' })}
        error={problems['branding.files']}
        placeholder="/srv/branding"
        value={branding.files}
        onChange={(event) => set({ files: event.target.value })}
      />
      <StyleSheet value={branding.css} error={problems['branding.css']} onValue={(css) => set({ css })} />
      <Looks name={branding.name.trim()} color={branding.color.trim()} />
      <Checkbox
        label={t('settings.branding.disableExternal')}
        hint={t('settings.branding.disableExternalHint')}
        isOn={branding.disableExternal}
        onChange={(disableExternal) => set({ disableExternal })}
      />
      <Checkbox
        label={t('settings.branding.disableUsedPercentage')}
        isOn={branding.disableUsedPercentage}
        onChange={(disableUsedPercentage) => set({ disableUsedPercentage })}
      />
      {pageConfig.Links?.Documentation && (
        <a className="text-link" href={pageConfig.Links.Documentation} target="_blank" rel="noopener noreferrer">
          {t('report.documentation')}
        </a>
      )}
    </>
  )
})

type StyleSheetProps = { value: string; error: string | undefined; onValue: (value: string) => void }

function StyleSheet({ value, error, onValue }: StyleSheetProps) {
  return (
    <Labelled label={t('settings.branding.css')} hint={t('settings.branding.cssHint')} error={error}>
      {(id, said) => (
        <textarea
          id={id}
          className="input input-code text-area-code"
          dir="ltr"
          spellCheck={false}
          autoCapitalize="none"
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={said}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Labelled>
  )
}
