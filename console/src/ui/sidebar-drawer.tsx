import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'

import * as text from '~/messages/shell'
import { cn } from '~/ui/class-names'
import { CloseButton } from '~/ui/dialog'
import { Mark } from '~/ui/mark'
import type { SidebarSection } from '~/ui/sidebar'
import { Sections } from '~/ui/sidebar'
import { useEscape } from '~/ui/use-escape'

type SidebarDrawerProps = {
  sections: SidebarSection[]
  currentPath: string
  isOpen: boolean
  onClose: () => void
}

/** The sidebar of narrow screens: slides in over the page from the left. */
export function SidebarDrawer({ sections, currentPath, isOpen, onClose }: SidebarDrawerProps) {
  useEscape(isOpen, onClose)
  return (
    <ModalOverlay
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => !open && onClose()}
      className={({ isEntering, isExiting }) =>
        cn(
          'fixed inset-0 z-scrim bg-scrim md:hidden',
          isEntering && 'animate-fade-in',
          isExiting && 'animate-fade-out',
        )
      }
    >
      <Modal
        className={({ isEntering, isExiting }) =>
          cn(
            'fixed inset-y-0 left-0 w-64 max-w-[85vw]',
            isEntering && 'animate-slide-in-left',
            isExiting && 'animate-slide-out-left',
          )
        }
      >
        <Dialog
          aria-label={text.navigationLabel}
          className="flex h-full flex-col overflow-y-auto bg-chrome shadow-overlay outline-none"
        >
          <div className="flex h-[var(--top-bar-height)] shrink-0 items-center justify-between border-b border-line px-4">
            <span className="flex items-center gap-2 text-base font-semibold">
              <Mark className="size-5 text-accent-text" />
              {text.productLabel}
            </span>
            <CloseButton onPress={onClose} />
          </div>
          <Sections
            sections={sections}
            currentPath={currentPath}
            isCollapsed={false}
            onFollow={onClose}
          />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
