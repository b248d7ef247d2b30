import { Expand, Eye, Keyboard, Scaling, TextCursorInput } from 'lucide-react'

import { instanceGraphicalConsoleStream } from '~/api/generated/operations'
import * as text from '~/messages/graphical-console-screens'
import { buttonClass } from '~/ui/button-class'
import { MenuButton } from '~/ui/menu'

import { Tool } from './-console-tool'
import { COMBINATIONS } from './-screen-keys'
import type { Key } from './-screen-keys'

interface ScreenToolbarProps {
  isConnected: boolean
  isScaled: boolean
  isViewOnly: boolean
  /** Whether a text is being typed. */
  isTyping: boolean
  onScale: (isScaled: boolean) => void
  onViewOnly: (isViewOnly: boolean) => void
  onFill: () => void
  onPress: (keys: readonly Key[]) => void
  /** Asks for a text to type. */
  onType: () => void
}

/** How the screen is shown, and what is sent to it. */
export function ScreenToolbar(props: ScreenToolbarProps) {
  const { isConnected, isScaled, isViewOnly, isTyping } = props
  const unconnected = isConnected ? undefined : text.notConnectedError
  const mute = unconnected ?? (isViewOnly ? text.viewOnlyError : undefined)
  return (
    <div className="flex items-center gap-1">
      <Tool
        label={text.scaleLabel}
        needs={null}
        aria-pressed={isScaled}
        onPress={() => props.onScale(!isScaled)}
        className={isScaled ? 'bg-selected text-fg' : undefined}
      >
        <Scaling aria-hidden="true" />
      </Tool>
      <Tool
        label={text.viewOnlyLabel}
        needs={null}
        aria-pressed={isViewOnly}
        onPress={() => props.onViewOnly(!isViewOnly)}
        className={isViewOnly ? 'bg-selected text-fg' : undefined}
      >
        <Eye aria-hidden="true" />
      </Tool>
      <Tool
        label={text.typeLabel}
        needs={instanceGraphicalConsoleStream}
        disabledReason={mute ?? (isTyping ? text.typingError : undefined)}
        onPress={props.onType}
      >
        <TextCursorInput aria-hidden="true" />
      </Tool>
      <MenuButton
        label={text.keysLabel}
        trigger={<Keyboard aria-hidden="true" />}
        className={buttonClass({ variant: 'ghost', size: 'icon' })}
        items={COMBINATIONS.map(({ name, keys }) => ({
          id: name,
          label: name,
          needs: instanceGraphicalConsoleStream,
          disabledReason: mute,
          onAction: () => props.onPress(keys),
        }))}
      />
      <Tool
        label={text.fullScreenLabel}
        needs={null}
        disabledReason={
          unconnected ?? (document.fullscreenEnabled ? undefined : text.noFullScreenError)
        }
        onPress={props.onFill}
      >
        <Expand aria-hidden="true" />
      </Tool>
    </div>
  )
}
