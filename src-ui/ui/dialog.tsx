import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { t } from '../i18n/t.ts'
import { focusBack } from './focus-back.ts'
import { IconButton } from './icon-button.tsx'

type Props = {
  title: string
  /** What is asked, in a sentence or two: it stands first, and a screen reader says it with the title. */
  description?: string
  onClose: () => void
  children?: ReactNode
  /** The buttons at the foot, the acting one last. */
  foot?: ReactNode
  wide?: boolean
  /** When given, body and foot are a form: Enter submits. */
  onSubmit?: () => void
}

/** Over the page, with the focus kept inside; Esc and the backdrop close it, and the focus goes back to where it was. */
export function Dialog({ title, description, onClose, children, foot, wide = false, onSubmit }: Props) {
  const invoker = useRef<Element>(null)
  const inner = (
    <>
      <div className="dialog-body">
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

// The field that is to be filled, else the button that answers: not the cross, which stands first.
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
