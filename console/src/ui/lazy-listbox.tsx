import { ChevronsUpDown } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'

import { whenIdle } from '~/lib/when-idle'
import type { Listbox, ListboxProps } from '~/ui/listbox'
import { chosenLabel, listboxClass } from '~/ui/listbox-look'
import { tellMissing } from '~/ui/on-demand'
import { PressButton } from '~/ui/press-button'

type LazyListboxProps = Pick<
  ListboxProps,
  'options' | 'value' | 'onChange' | 'aria-label' | 'aria-labelledby' | 'isDisabled' | 'className'
>

let loaded: typeof Listbox | undefined

/**
 * A `Listbox` outside of forms, for screens that begin without one being opened. Until its code is there, which is once the screen
 * has nothing else to do or the listbox is approached, a button of the same look and name stands in for it.
 */
export function LazyListbox(props: LazyListboxProps) {
  const [Part, setPart] = useState(() => loaded)
  const [isOpening, setOpening] = useState(false)
  const [hadFocus, setHadFocus] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const valueId = useId()

  const load = () =>
    import('~/ui/listbox').then((code) => {
      loaded = code.Listbox
      setHadFocus(button.current !== null && button.current === document.activeElement)
      setPart(() => code.Listbox)
    })
  const isWaiting = Part === undefined
  useEffect(() => {
    // A failure is news only once the list is wanted.
    return isWaiting ? whenIdle(() => void load().catch(() => undefined)) : undefined
  }, [isWaiting])

  if (Part) {
    return <Part {...props} isOpenAtFirst={isOpening} hasFocusAtFirst={hadFocus || isOpening} />
  }

  const { options, value, isDisabled = false, className } = props
  const open = () => {
    setOpening(true)
    load().catch(() => {
      setOpening(false)
      tellMissing()
    })
  }
  const isUseless = isDisabled || options.length === 0
  return (
    <div className="w-full">
      <PressButton
        ref={button}
        aria-label={props['aria-label']}
        aria-labelledby={props['aria-labelledby']}
        aria-haspopup="listbox"
        aria-expanded={isOpening}
        aria-describedby={valueId}
        isDisabled={isUseless}
        onPointerDown={({ pointerType }) => pointerType === 'mouse' && open()}
        onPress={open}
        onKeyDown={({ key }) => (key === 'ArrowDown' || key === 'ArrowUp') && open()}
        className={listboxClass(false, className)}
      >
        <span className="min-w-0 grow truncate text-left">
          <span id={valueId} className={isUseless ? 'text-fg-subtle' : 'text-fg'}>
            {chosenLabel(options, value)}
          </span>
        </span>
        <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-fg-subtle" />
      </PressButton>
    </div>
  )
}
