import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { t } from '../i18n/t.ts'
import { Button } from './button.tsx'
import { focusBack } from './focus-back.ts'
import type { IconName } from './icon.tsx'
import { IconButton } from './icon-button.tsx'

/** The title of a modal, which screen readers read when it opens. */
export const ModalTitle = Radix.Title

type ModalProps = {
  className: string
  /** The classes of what places it in the window, and of what is behind it. */
  place?: string
  backdrop?: string
  isDescribed?: boolean
  onClose: () => void
  /** Moves the focus, and prevents the event: otherwise its first control gets it. */
  onOpen?: (event: Event) => void
  /** Called when it is gone. `giveBack` returns the focus to the element before. */
  onClosed?: (giveBack: () => void) => void
  children: ReactNode
}

/** Opens over the page, which is inert meanwhile. Esc and a press on the backdrop close it. */
export function Modal({
  className,
  place = 'dialog-place',
  backdrop = 'backdrop',
  isDescribed = false,
  onClose,
  onOpen,
  onClosed = queueMicrotask,
  children,
}: ModalProps) {
  const [invoker] = useState(() => document.activeElement)
  return (
    <Radix.Root open onOpenChange={(shown) => !shown && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={backdrop} />
        <div className={place}>
          <Radix.Content
            className={`modal ${className}`}
            {...(isDescribed ? {} : { 'aria-describedby': undefined })}
            {...(onOpen && { onOpenAutoFocus: onOpen })}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              onClosed(() => focusBack(invoker))
            }}
          >
            {children}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

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

/** A modal with a title, a body and buttons. */
export function Dialog({ title, description, onClose, children, foot, wide = false, scrolls = false, onSubmit }: Props) {
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
    <Modal
      className={wide ? 'dialog dialog-wide' : 'dialog'}
      isDescribed={Boolean(description)}
      onClose={onClose}
      onOpen={focusFirst}
    >
      <header className="dialog-header">
        <ModalTitle className="dialog-title">{title}</ModalTitle>
        <IconButton icon="x" label={t('action.close')} onClick={onClose} />
      </header>
      {onSubmit ? <Form onSubmit={onSubmit}>{inner}</Form> : inner}
    </Modal>
  )
}

type ConfirmProps = {
  title: string
  description: string
  /** The labels of the buttons. */
  cancel?: string
  confirm: string
  icon?: IconName
  busy?: boolean
  onClose: () => void
  onConfirm: () => void
  /** A button for something else, apart from these two. */
  children?: ReactNode
}

/** Asks before something that cannot be undone. *Cancel* has the focus. */
export function Confirm({ title, description, cancel, confirm, icon, busy = false, onClose, onConfirm, children }: ConfirmProps) {
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      foot={
        <>
          {children}
          {children && <span className="grow" />}
          <Button data-first-focus label={cancel ?? t('action.cancel')} onClick={onClose} />
          <Button kind="danger" icon={icon} busy={busy} label={confirm} onClick={onConfirm} />
        </>
      }
    />
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
