import 'holdall:words/later'
import { useEffect, useRef, useState } from 'react'
import { pageConfig } from '../api/page-config.ts'
import { t } from '../i18n/t.ts'
import { FieldError } from '../ui/field.tsx'
import { view } from '../ui/view.tsx'

/** What the script of the host puts into the page. */
type Recaptcha = {
  ready(work: () => void): void
  render(element: HTMLElement, how: Record<string, unknown>): unknown
}

let loading: Promise<Recaptcha> | undefined

/** Loads the script of the host once. A failed attempt can be repeated. */
function loadRecaptcha(): Promise<Recaptcha> {
  loading ??= new Promise<Recaptcha>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${pageConfig.ReCaptchaHost}/recaptcha/api.js?render=explicit`
    script.onload = () => {
      const { grecaptcha } = globalThis as { grecaptcha?: Recaptcha }
      if (grecaptcha) grecaptcha.ready(() => resolve(grecaptcha))
      else reject(new Error('the script made no captcha'))
    }
    script.onerror = () => reject(new Error('the script could not be loaded'))
    document.head.append(script)
  }).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

type Props = {
  /** Why the last attempt failed: each captcha is good for one. */
  failure: unknown
  /** Called with '' when there is none any more. */
  onToken: (token: string) => void
}

/** The captcha of the host. */
export const Captcha = view(function Captcha({ failure, onToken }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [isFailed, setFailed] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn once for each attempt
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches
    const theme = (document.documentElement.dataset.theme ?? (dark ? 'dark' : 'light')) === 'dark' ? 'dark' : 'light'
    const place = document.createElement('div')
    box.current?.append(place)
    const forget = () => onToken('')
    forget()
    loadRecaptcha()
      .then((recaptcha) =>
        recaptcha.render(place, {
          ...{ sitekey: pageConfig.ReCaptchaKey, theme, callback: onToken },
          ...{ 'expired-callback': forget, 'error-callback': forget },
        }),
      )
      .catch(() => setFailed(true))
    return () => place.remove()
  }, [failure])
  return (
    <>
      <div ref={box} />
      {isFailed && <FieldError text={t('login.noCaptcha')} />}
    </>
  )
})
