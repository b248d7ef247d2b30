import type { ComponentProps } from 'react'

import { useFollowLink } from '~/ui/navigate-context'
import { pressHandlers, type PressProps } from '~/ui/press-button'

export type LinkProps = PressProps & Omit<ComponentProps<'a'>, 'onClick'> & { href: string }

/** A plain link without a look. Addresses of the console open without loading the page. */
export function Link({ href, children, ...props }: LinkProps) {
  const follow = useFollowLink()
  const { onClick, ...rest } = pressHandlers(props)
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick(event)
        follow(event)
      }}
    >
      {children}
    </a>
  )
}
