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

/** Where the form for a new object is: a screen with a path, or a dialog over the present one. */
export type NewForm =
  | { to: string; open?: undefined; preload?: undefined }
  | { to?: undefined; open: () => void; preload: () => void }

type NewButtonProps = NewForm & {
  /** A plus unless given. */
  icon?: MenuIcon
  /** What the palette calls it, where that is not what the button says. */
  action?: string
  /** The operation that submitting the form calls. */
  needs: Needs
  /** Why the form is not available. */
  refusal?: ReactNode
  children: string
} & Pick<ButtonLook, 'size'>

/** Room for a finger. */
const TOUCH_CLASS = 'max-md:h-11'

/** The button that opens the form for a new object, with its palette entry and the key `n`. */
export function NewButton(props: NewButtonProps) {
  const { to, open, preload, icon: Icon = Plus, action, needs, refusal, size, children } = props
  const reason = useRefusal()(needs) ?? refusal
  const label = action ?? children
  useActions(
    useMemo(() => {
      const text = { id: 'new', label, icon: Icon, shortcut: 'n', disabledReason: refusal }
      return [to === undefined ? { ...text, perform: open, needs } : { ...text, href: to, needs }]
    }, [label, Icon, to, open, needs, refusal]),
  )
  const content = (
    <>
      <Icon aria-hidden="true" />
      {children}
    </>
  )
  return reason || to === undefined ? (
    <Button
      size={size}
      className={TOUCH_CLASS}
      needs={needs}
      disabledReason={reason}
      onHoverStart={preload}
      onPress={open}
    >
      {content}
    </Button>
  ) : (
    <ButtonLink to={to} size={size} className={TOUCH_CLASS} needs={needs}>
      {content}
    </ButtonLink>
  )
}
