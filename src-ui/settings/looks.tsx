import type { CSSProperties } from 'react'
import { Mark } from '../core/brand.tsx'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'

const themes = ['light', 'dark'] as const

/** How name and colour look in both themes: a picture without a function, which screen readers hear as one sentence. */
export const Looks = view(function Looks({ name, color }: { name: string; color: string }) {
  const shown = name || 'Holdall'
  const isColor = /^#[0-9a-f]{6}$/i.test(color)
  return (
    <div className="field">
      <span className="field-label">{t('settings.branding.looks')}</span>
      <div className="looks" role="img" aria-label={t('settings.branding.looksOf', { name: shown })}>
        {themes.map((theme) => (
          <div
            key={theme}
            className="look"
            data-theme={theme}
            data-colored={isColor || undefined}
            style={isColor ? ({ '--brand': color } as CSSProperties) : undefined}
          >
            <div className="look-head">
              <Mark />
              <bdi>{shown}</bdi>
            </div>
            <div className="look-body">
              <span className="button button-primary button-small">
                <span className="label">{t('menu.upload')}</span>
              </span>
              <span className="tag tag-accent">
                {t(theme === 'light' ? 'settings.branding.themeLight' : 'settings.branding.themeDark')}
              </span>
              <span className="look-link">{t('settings.branding.link')}</span>
            </div>
          </div>
        ))}
      </div>
    </div>
  )
})
