import type { ReactNode } from 'react'

import { Button } from '~/ui/button'
import { buttonClass } from '~/ui/button-class'
import type { ButtonLook } from '~/ui/button-class'
import { Link } from '~/ui/link'
import { useRefusal } from '~/ui/refusal-context'
import type { Needs } from '~/ui/refusal-context'

interface ButtonLinkProps extends ButtonLook {
  /** A path of the console. */
  to: string
  /** The operation that the target is for, if any. Without the right to it, the link is a disabled button with the reason. */
  needs: Needs
  children: ReactNode
  'aria-label'?: string
}

/** A link that looks like a button, for actions that only lead somewhere. */
export function ButtonLink({ to, needs, children, ...props }: ButtonLinkProps) {
  const refusal = useRefusal()(needs)
  const { variant, size, className, ...link } = props
  if (refusal) {
    return (
      <Button {...props} needs={needs}>
        {children}
      </Button>
    )
  }
  return (
    <Link
      {...link}
      data-needs={needs?.name}
      href={to}
      className={buttonClass({ variant, size, className })}
    >
      {children}
    </Link>
  )
}
