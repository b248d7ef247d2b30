import { CircleAlert } from 'lucide-react'
import type { ReactNode, UIEvent } from 'react'
import { useContext, useRef, useState } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

import * as common from '~/messages/common'
import * as text from '~/messages/forms'
import { Button } from '~/ui/button'
import { cn } from '~/ui/class-names'
import { CloseButton, Dialog } from '~/ui/dialog'
import { LayerContext } from '~/ui/layer'
import type { MenuIcon } from '~/ui/menu'
import { Message } from '~/ui/message'
import { SlideInContext } from '~/ui/slide-in-context'
import { useEscape } from '~/ui/use-escape'
import { useFocusFirst } from '~/ui/use-focus-first'

/** The thing that a side modal is about, under its title. */
export interface ModalSubject {
  icon: MenuIcon
  name: ReactNode
}

type SideModalProps = {
  title: string
  subject?: ModalSubject
  onDismiss: () => void
  /** Something would be lost: ×, Escape and a press outside ask first. */
  isDirty: boolean
  /** One message, or several that are counted and listed. */
  error?: string | string[] | null
  footer?: ReactNode
  /** Overrides what `SlideInContext` says. */
  slideIn?: boolean
  children: ReactNode
}

/**
 * A panel at the right, 32rem wide and full height. Buttons of the footer dismiss without asking;
 * everything else asks while there is something to lose.
 */
export function SideModal({
  title,
  subject,
  onDismiss,
  isDirty,
  error,
  footer,
  slideIn,
  children,
}: SideModalProps) {
  const [isAsking, setAsking] = useState(false)
  const slides = useContext(SlideInContext)
  const dismiss = () => (isDirty ? setAsking(true) : onDismiss())
  useEscape(true, dismiss)

  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => !open && dismiss()}
      className="fixed inset-0 z-scrim bg-scrim"
    >
      <Modal
        className={({ isEntering }) =>
          cn(
            'fixed inset-y-0 right-0 z-side-modal w-lg max-w-full',
            (slideIn ?? slides) && isEntering && 'animate-slide-in-right',
          )
        }
      >
        <AriaDialog className="flex h-full flex-col bg-raised shadow-overlay outline-none">
          <LayerContext.Provider value="side-modal">
            <Panel title={title} subject={subject} error={error} footer={footer}>
              {children}
            </Panel>
            {/* Last in the tab order, so that focus starts at the first field. */}
            <CloseButton onPress={dismiss} className="absolute top-4 right-6" />
            <LeaveQuestion isOpen={isAsking} onStay={() => setAsking(false)} onLeave={onDismiss} />
          </LayerContext.Provider>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

type LeaveQuestionProps = { isOpen: boolean; onStay: () => void; onLeave: () => void }

function LeaveQuestion({ isOpen, onStay, onLeave }: LeaveQuestionProps) {
  return (
    <Dialog
      title={text.leaveTitle}
      role="alertdialog"
      width="narrow"
      isOpen={isOpen}
      onDismiss={onStay}
      footer={
        <>
          <Button needs={null} variant="secondary" size="sm" autoFocus onPress={onStay}>
            {text.keepEditingLabel}
          </Button>
          <Button needs={null} variant="danger" size="sm" onPress={onLeave}>
            {text.leaveFormLabel}
          </Button>
        </>
      }
    >
      {text.leaveFormQuestion}
    </Dialog>
  )
}

type PanelProps = Pick<SideModalProps, 'title' | 'subject' | 'error' | 'footer' | 'children'>

function Panel({ title, subject, error, footer, children }: PanelProps) {
  const [isScrolled, setScrolled] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  useFocusFirst(body)

  const onScroll = (event: UIEvent<HTMLDivElement>) =>
    setScrolled(event.currentTarget.scrollTop > 0)
  const errors = typeof error === 'string' ? [error] : (error ?? [])

  return (
    <>
      <header className="flex shrink-0 flex-col gap-1 px-6 pt-4 pr-16 pb-3">
        <Heading slot="title" className="text-lg leading-7 font-semibold break-words">
          {title}
        </Heading>
        {subject && (
          <h3 className="flex items-center gap-2 text-sm break-all text-fg-muted [&_svg]:size-4 [&_svg]:shrink-0">
            <subject.icon aria-hidden="true" />
            {subject.name}
          </h3>
        )}
      </header>
      {errors.length > 0 && (
        <div className="max-h-1/3 shrink-0 overflow-y-auto px-6 pb-3">
          <ErrorBox errors={errors} />
        </div>
      )}
      <div
        ref={body}
        data-testid="sidemodal-scroll-container"
        onScroll={onScroll}
        className={cn(
          'min-h-0 grow overflow-y-auto border-t px-6 pt-4 pb-8',
          isScrolled ? 'border-line' : 'border-transparent',
        )}
      >
        {children}
      </div>
      {footer && (
        <footer className="flex shrink-0 items-center justify-between gap-3 border-t border-line px-6 py-3">
          <div role="status" className="flex items-center gap-1.5 text-sm text-danger-text">
            {errors.length > 0 && (
              <>
                <CircleAlert aria-hidden="true" className="size-4" />
                {common.errorTitle}
              </>
            )}
          </div>
          <div className="flex gap-2">{footer}</div>
        </footer>
      )}
    </>
  )
}

function ErrorBox({ errors }: { errors: string[] }) {
  const [first] = errors
  return (
    <Message tone="danger" title={errors.length === 1 ? common.errorTitle : common.errorsTitle}>
      {errors.length === 1 ? (
        first
      ) : (
        <>
          {text.issuesText(errors.length)}
          <ul className="ml-4 list-disc">
            {errors.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </>
      )}
    </Message>
  )
}
