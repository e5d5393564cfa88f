import { useEffect, useRef } from 'react'
import { t } from '../i18n/t.ts'
import { Field } from '../ui/field.tsx'
import { FileObject } from '../ui/file-object.tsx'
import { view } from '../ui/view.tsx'
import { CopyNamed } from './copy-text-button.tsx'
import { endText } from './link-facts.ts'
import { QrBox } from './qr-box.tsx'
import { linkAddress } from './share-calls.ts'
import type { ShareLinks } from './share-links.ts'

/** The link that was just made: its address, its password for the only time, and its code. */
export const LinkReady = view(function LinkReady({ state }: { state: ShareLinks }) {
  const made = state.made.value
  const { name, isDir } = state.entry
  if (!made) return null
  const { share, password } = made
  const address = linkAddress(share.hash)
  const { mostDownloads } = share
  const most = mostDownloads !== undefined && t('shares.atMost', { count: mostDownloads })
  const facts = [endText(share), most, share.hasPassword && t('shares.withPassword')].filter(Boolean)
  return (
    <>
      <FileObject file={state.entry} large>
        <small>{facts.join(' · ')}</small>
      </FileObject>
      <Copied label={t('shares.link')} text={address} />
      {password && <Copied label={t('shares.shownPassword')} text={password} hint={t('shares.shownOnce')} isPassword />}
      <QrBox address={address} name={name} isDir={isDir} />
    </>
  )
})

type Props = { label: string; text: string; hint?: string; isPassword?: boolean }

/** A text that can be read and copied. */
const Copied = view(function Copied({ label, text, hint, isPassword = false }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isPassword) return
    field.current?.focus()
    field.current?.select()
  }, [isPassword])
  return (
    <Field
      ref={field}
      label={label}
      hint={hint}
      className="input-code"
      readOnly
      dir="ltr"
      value={text}
      onFocus={(event) => event.currentTarget.select()}
      beside={<CopyNamed text={text} isPassword={isPassword} />}
    />
  )
})
