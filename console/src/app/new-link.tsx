import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import type { ReactNode } from 'react'

import { Button } from '~/ui/button'
import type { ButtonLook } from '~/ui/button-class'
import type { MenuIcon } from '~/ui/menu'
import { useRefusal } from '~/ui/refusal-context'
import type { Needs } from '~/ui/refusal-context'

import { useActions } from './action-registry'
import { ButtonLink } from './button-link'

interface NewLinkProps extends Pick<ButtonLook, 'size'> {
  /** Path of the form. */
  to: string
  /** A plus unless given. */
  icon?: MenuIcon
  /** What the palette calls it, where that is not what the button says. */
  action?: string
  /** The operation that submitting the form calls. */
  needs: Needs
  /** Why the form is not available. */
  refusal?: ReactNode
  children: string
}

/** The button that opens the form for a new object, with its palette entry and the key `n`. */
export function NewLink(props: NewLinkProps) {
  const { to, icon: Icon = Plus, action, needs, refusal, size, children } = props
  const reason = useRefusal()(needs) ?? refusal
  const label = action ?? children
  useActions(
    useMemo(
      () => [
        { id: 'new', label, icon: Icon, shortcut: 'n', href: to, needs, disabledReason: refusal },
      ],
      [label, Icon, to, needs, refusal],
    ),
  )
  const content = (
    <>
      <Icon aria-hidden="true" />
      {children}
    </>
  )
  return reason ? (
    <Button size={size} needs={needs} disabledReason={reason}>
      {content}
    </Button>
  ) : (
    <ButtonLink to={to} size={size} needs={needs}>
      {content}
    </ButtonLink>
  )
}
