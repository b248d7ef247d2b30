import * as common from '~/messages/common'
import * as detailsText from '~/messages/instance-columns'
import * as text from '~/messages/shell'
import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'

import { useCurrentActions } from './action-registry'
import { filterField } from './shortcuts'

interface Shortcut {
  keys: string[]
  label: string
}

const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

const tableShortcuts: Shortcut[] = [
  { keys: ['↑', '↓'], label: text.otherRowsLabel },
  { keys: ['←', '→'], label: text.controlsOfRowLabel },
  { keys: ['Enter'], label: text.openRowLabel },
  { keys: ['Shift', 'F10'], label: text.openRowMenuLabel },
]

/** Whether rows have a button that shows their details. */
const hasDetails = () => document.querySelector('[data-row-details]') !== null

/** Whether the screen has a table with rows. */
const hasRows = () => document.querySelector('tr[data-row]') !== null

/** The shortcuts that are available on the current screen. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const actions = useCurrentActions()
  const shortcuts: Shortcut[] = [
    { keys: [modifier, 'K'], label: text.jumpToLabel },
    ...(filterField() ? [{ keys: ['/'], label: text.filterListLabel }] : []),
    ...actions.flatMap(({ shortcut, label, group }) =>
      shortcut
        ? [
            {
              keys: shortcut.split(' '),
              label: group && shortcut.startsWith('g ') ? text.goToLabel(label) : label,
            },
          ]
        : [],
    ),
    ...(hasRows() ? tableShortcuts : []),
    ...(hasDetails() ? [{ keys: ['i'], label: detailsText.showDetailsLabel }] : []),
    { keys: ['?'], label: text.showShortcutsLabel },
  ]
  return (
    <Dialog
      title={text.shortcutsTitle}
      isOpen
      onDismiss={onClose}
      width="narrow"
      footer={
        <Button needs={null} variant="secondary" onPress={onClose}>
          {common.closeLabel}
        </Button>
      }
    >
      <dl className="space-y-2 text-sm">
        {shortcuts.map(({ keys, label }) => (
          <div key={label} className="flex items-center justify-between gap-4">
            <dt className="text-fg-muted">{label}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded-sm border border-line-strong bg-chrome px-1.5 py-0.5 text-center text-xs"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
