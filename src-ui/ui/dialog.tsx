import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { t } from '../i18n/t.ts'
import { focusBack } from './focus-back.ts'
import { IconButton } from './icon-button.tsx'

type Props = {
  title: string
  /** The question in one or two sentences. Screen readers read it with the title. */
  description?: string
  onClose: () => void
  children?: ReactNode
  /** The buttons at the bottom, the main one last. */
  foot?: ReactNode
  wide?: boolean
  /** Nothing in it takes the focus, so that it takes it itself: the keys scroll it. */
  scrolls?: boolean
  /** Makes body and buttons a form, which Enter submits. */
  onSubmit?: () => void
}

/** A modal dialog. Esc and a press on the backdrop close it, and the focus returns to the element before. */
export function Dialog({ title, description, onClose, children, foot, wide = false, scrolls = false, onSubmit }: Props) {
  const invoker = useRef<Element>(null)
  const inner = (
    <>
      <div className="dialog-body" {...(scrolls && { tabIndex: 0 })}>
        {description && <Radix.Description className="muted">{description}</Radix.Description>}
        {children}
      </div>
      {foot && <footer className="dialog-foot">{foot}</footer>}
    </>
  )
  return (
    <Radix.Root open onOpenChange={(shown) => !shown && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="backdrop" />
        <div className="dialog-place">
          <Radix.Content
            className={wide ? 'dialog dialog-wide' : 'dialog'}
            {...(description ? {} : { 'aria-describedby': undefined })}
            onOpenAutoFocus={(event) => {
              invoker.current = document.activeElement
              focusFirst(event)
            }}
            onCloseAutoFocus={() => queueMicrotask(() => focusBack(invoker.current))}
          >
            <header className="dialog-header">
              <Radix.Title className="dialog-title">{title}</Radix.Title>
              <IconButton icon="x" label={t('action.close')} onClick={onClose} />
            </header>
            {onSubmit ? <Form onSubmit={onSubmit}>{inner}</Form> : inner}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

// The first field, else the main button. Radix would focus the close button.
function focusFirst(event: Event): void {
  const dialog = event.currentTarget as HTMLElement
  const wanted =
    dialog.querySelector<HTMLElement>('[data-first-focus]') ??
    dialog.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea):not(:disabled)') ??
    dialog.querySelector<HTMLElement>('.dialog-foot > button:last-child')
  if (!wanted) return
  event.preventDefault()
  wanted.focus()
}

function Form({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      className="dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
