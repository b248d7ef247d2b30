import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

import * as common from '~/messages/common'
import { Button } from '~/ui/button'
import { cn } from '~/ui/class-names'
import { LayerContext } from '~/ui/layer'
import { PressButton } from '~/ui/press-button'
import { useEscape } from '~/ui/use-escape'

/** narrow 24rem, and 36rem while it shows code, medium 28rem, free 24 to 48rem by its content. */
export type DialogWidth = 'narrow' | 'medium' | 'free'

const widthClasses: Record<DialogWidth, string> = {
  narrow: 'w-96 has-[[data-code][open]]:w-xl',
  medium: 'w-md',
  free: 'w-max min-w-[min(24rem,calc(100vw-2rem))] max-w-3xl',
}

type DialogProps = {
  title: ReactNode
  isOpen: boolean
  /** Called by the close button, Escape and a press outside. */
  onDismiss: () => void
  width?: DialogWidth
  /** Text of a button in the footer that only closes. */
  closeLabel?: string
  /** Buttons, the action last. */
  footer?: ReactNode
  /** At the left of the footer: a link, a small note. */
  footerStart?: ReactNode
  /** For questions that have to be answered: announced as an alert. */
  role?: 'dialog' | 'alertdialog'
  children: ReactNode
}

/** A centred modal over a scrim. The body scrolls; title and footer stay. */
export function Dialog({
  title,
  isOpen,
  onDismiss,
  width = 'medium',
  closeLabel,
  footer,
  footerStart,
  role = 'dialog',
  children,
}: DialogProps) {
  useEscape(isOpen, onDismiss)
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onDismiss()}
      isDismissable
      className={({ isEntering, isExiting }) =>
        cn(
          'fixed inset-0 z-modal bg-scrim',
          isEntering && 'animate-fade-in',
          isExiting && 'animate-fade-out',
        )
      }
    >
      <Modal
        className={({ isEntering }) =>
          cn(
            'fixed top-[min(50%,500px)] left-1/2 flex max-h-[min(800px,80vh)] max-w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2',
            widthClasses[width],
            isEntering && 'animate-fade-in',
          )
        }
      >
        <AriaDialog
          role={role}
          className="flex min-h-0 w-full flex-col rounded-md bg-raised shadow-overlay outline-none"
        >
          <LayerContext.Provider value="modal">
            <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-2">
              <Heading slot="title" className="text-lg font-semibold">
                {title}
              </Heading>
              <CloseButton onPress={onDismiss} />
            </header>
            <div className="min-h-0 grow overflow-y-auto px-5 pb-5 text-base text-fg-muted">
              {children}
            </div>
            {(footer || footerStart || closeLabel) && (
              <footer className="flex items-center justify-between gap-4 border-t border-line px-5 py-3">
                <div className="min-w-0 text-sm text-fg-muted">{footerStart}</div>
                <div className="flex shrink-0 gap-2">
                  {footer}
                  {closeLabel && (
                    <Button needs={null} variant="secondary" size="sm" onPress={onDismiss}>
                      {closeLabel}
                    </Button>
                  )}
                </div>
              </footer>
            )}
          </LayerContext.Provider>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** The × of dialogs and side modals. */
export function CloseButton({ onPress, className }: { onPress: () => void; className?: string }) {
  return (
    <PressButton
      aria-label={common.closeLabel}
      onPress={onPress}
      className={cn(
        '-mr-1.5 inline-flex size-7 shrink-0 cursor-default items-center justify-center rounded-sm text-fg-subtle transition-colors hover:bg-hover hover:text-fg',
        className,
      )}
    >
      <X aria-hidden="true" className="size-4" />
    </PressButton>
  )
}
