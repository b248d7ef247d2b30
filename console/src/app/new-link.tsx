import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import type { ReactNode } from 'react'

import { Button } from '~/ui/button'
import type { ButtonLook } from '~/ui/button-class'

import { useActions } from './action-registry'
import { ButtonLink } from './button-link'

interface NewLinkProps extends Pick<ButtonLook, 'size'> {
  /** Path of the form. */
  to: string
  /** What the palette calls it, where that is not what the button says. */
  action?: string
  /** Why nothing can be added here now. */
  refusal?: ReactNode
  children: string
}

/** The way to a screen's form for something new: as a button, in the palette and by the key `n`. */
export function NewLink({ to, action, refusal, size, children }: NewLinkProps) {
  const label = action ?? children
  useActions(
    useMemo(
      () => [{ id: 'new', label, icon: Plus, shortcut: 'n', href: to, disabledReason: refusal }],
      [label, to, refusal],
    ),
  )
  const content = (
    <>
      <Plus aria-hidden="true" />
      {children}
    </>
  )
  return refusal ? (
    <Button size={size} disabledReason={refusal}>
      {content}
    </Button>
  ) : (
    <ButtonLink to={to} size={size}>
      {content}
    </ButtonLink>
  )
}
