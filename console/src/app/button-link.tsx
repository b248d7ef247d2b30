import type { ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'

import { buttonClass } from '~/ui/button-class'
import type { ButtonLook } from '~/ui/button-class'

interface ButtonLinkProps extends ButtonLook {
  /** A path of the console. */
  to: string
  children: ReactNode
  'aria-label'?: string
}

/** A link that looks like a button, for actions that only lead somewhere. */
export function ButtonLink({ to, children, variant, size, className, ...link }: ButtonLinkProps) {
  return (
    <Link {...link} href={to} className={buttonClass({ variant, size, className })}>
      {children}
    </Link>
  )
}
