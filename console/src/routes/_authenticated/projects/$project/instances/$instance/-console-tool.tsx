import type { ReactNode } from 'react'

import { Button } from '~/ui/button'
import type { ButtonProps } from '~/ui/button'
import { Tooltip } from '~/ui/tooltip'

type ToolProps = ButtonProps & { label: string; children: ReactNode }

/** A button with a picture, whose label is in a tooltip unless that says why it cannot be pressed. */
export function Tool({ label, children, ...props }: ToolProps) {
  const button = (
    <Button variant="ghost" size="icon" aria-label={label} {...props}>
      {children}
    </Button>
  )
  return props.disabledReason ? button : <Tooltip content={label}>{button}</Tooltip>
}
