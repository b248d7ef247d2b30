import { Copy, Ellipsis, Pencil, Play, Plus, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'

import { Row, Specimen } from '~/gallery/specimen'
import { Accordion } from '~/ui/accordion'
import type { BadgeTone } from '~/ui/badge'
import { Badge } from '~/ui/badge'
import { Button, buttonClass } from '~/ui/button'
import type { ButtonVariant } from '~/ui/button-class'
import { MenuButton } from '~/ui/menu'
import { Spinner } from '~/ui/spinner'
import type { StatusTone } from '~/ui/status'
import { Status } from '~/ui/status'
import { Switch } from '~/ui/switch'
import { Tabs } from '~/ui/tabs'
import { TipIcon, Tooltip } from '~/ui/tooltip'

const variants: ButtonVariant[] = ['primary', 'secondary', 'ghost', 'danger']
const badgeTones: BadgeTone[] = ['accent', 'neutral', 'notice', 'danger', 'violet', 'info']
const statusTones: StatusTone[] = [
  'accent',
  'success',
  'neutral',
  'notice',
  'danger',
  'violet',
  'info',
]

function Buttons() {
  const [isLoading, setLoading] = useState(false)
  return (
    <Specimen title="Button">
      <Row label="Variants">
        {variants.map((variant) => (
          <Button needs={null} key={variant} variant={variant}>
            <Plus aria-hidden="true" />
            Create {variant}
          </Button>
        ))}
      </Row>
      <Row label="Small">
        {variants.map((variant) => (
          <Button needs={null} key={variant} variant={variant} size="sm">
            {variant}
          </Button>
        ))}
      </Row>
      <Row label="Disabled, with reason">
        {variants.map((variant) => (
          <Button
            needs={null}
            key={variant}
            variant={variant}
            disabledReason="Only stopped instances can be resized"
          >
            Resize
          </Button>
        ))}
      </Row>
      <Row label="Loading">
        {variants.map((variant) => (
          <Button needs={null} key={variant} variant={variant} loading>
            Create instance
          </Button>
        ))}
        <Button
          needs={null}
          variant="secondary"
          loading={isLoading}
          onPress={() => {
            setLoading(true)
            window.setTimeout(() => setLoading(false), 50)
          }}
        >
          Load for 50 ms
        </Button>
      </Row>
      <Row label="Icon">
        <Button needs={null} variant="secondary" size="icon" aria-label="Start">
          <Play aria-hidden="true" />
        </Button>
        <Button needs={null} variant="ghost" size="icon" aria-label="Edit">
          <Pencil aria-hidden="true" />
        </Button>
      </Row>
    </Specimen>
  )
}

function Switches() {
  const [isOn, setOn] = useState(true)
  return (
    <Specimen title="Switch">
      <Row>
        <Switch needs={null} label="Require approval" isSelected={isOn} onChange={setOn} />
        <Switch
          needs={null}
          label="Keep copies"
          isSelected={!isOn}
          onChange={(isOff) => setOn(!isOff)}
        />
        <Switch
          needs={null}
          label="Share"
          isSelected={false}
          onChange={() => undefined}
          disabledReason="Only admins of the silo can change it"
        />
      </Row>
    </Specimen>
  )
}

function Menus() {
  const [theme, setTheme] = useState('system')
  return (
    <Specimen title="Menu">
      <Row>
        <MenuButton
          label="Instance actions"
          className={buttonClass({ variant: 'secondary', size: 'icon' })}
          trigger={<Ellipsis aria-hidden="true" />}
          placement="bottom start"
          items={[
            { id: 'copy', label: 'Copy ID', icon: Copy, needs: null, onAction: () => undefined },
            {
              id: 'edit',
              label: 'Edit',
              icon: Pencil,
              shortcut: 'e',
              needs: null,
              onAction: () => undefined,
            },
            {
              id: 'stop',
              label: 'Stop',
              icon: Power,
              disabledReason: 'Only running or starting instances can be stopped',
            },
            { id: 'guide', label: 'Guide', href: 'https://example.test/guide' },
            { separator: true },
            {
              id: 'delete',
              label: 'Delete',
              destructive: true,
              icon: Trash2,
              needs: null,
              onAction: () => undefined,
            },
          ]}
        />
        <MenuButton
          label="Theme of the page"
          className={buttonClass({ variant: 'secondary' })}
          trigger="Choice"
          placement="bottom start"
          items={[
            {
              id: 'theme',
              choice: 'Theme',
              selected: theme,
              onSelect: setTheme,
              options: [
                { id: 'system', label: 'System' },
                { id: 'light', label: 'Light' },
                { id: 'dark', label: 'Dark' },
              ],
            },
          ]}
        />
      </Row>
    </Specimen>
  )
}

/** Everything that is pressed or says a word. */
export function Controls() {
  return (
    <>
      <Buttons />
      <Switches />
      <Specimen title="Badge">
        <Row label="Tinted">
          {badgeTones.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </Row>
        <Row label="Solid">
          {badgeTones.map((tone) => (
            <Badge key={tone} tone={tone} solid>
              {tone}
            </Badge>
          ))}
        </Row>
        <Row label="Own case">
          <Badge tone="neutral">subnet</Badge>
          <Badge tone="neutral" solid preserveCase>
            mock-subnet
          </Badge>
        </Row>
      </Specimen>
      <Specimen title="Status">
        <Row label="At rest">
          {statusTones.map((tone) => (
            <Status key={tone} tone={tone}>
              {tone}
            </Status>
          ))}
          <Status tone="neutral" dot="hollow">
            stopped
          </Status>
        </Row>
        <Row label="Changing">
          <Status tone="info" spinner>
            starting
          </Status>
          <Status tone="notice" spinner>
            stopping
          </Status>
        </Row>
      </Specimen>
      <Specimen title="Spinner">
        <Row>
          <Spinner label="Loading" />
          <Spinner className="size-6 text-accent-text" />
        </Row>
      </Specimen>
      <Specimen title="Tooltip">
        <Row>
          <Tooltip content="Shown under pointer and focus">
            <Button needs={null} variant="secondary">
              Hover me
            </Button>
          </Tooltip>
          <Tooltip content="A longer remark that has to wrap, because it explains something that does not fit into a single line of text at this width.">
            <span tabIndex={0} className="rounded-sm text-sm underline decoration-dotted">
              plain text
            </span>
          </Tooltip>
          <span className="text-sm">
            Pool <TipIcon>Addresses are taken from this pool.</TipIcon>
          </span>
        </Row>
      </Specimen>
      <Menus />
      <Specimen title="Tabs">
        <Tabs
          label="Instance"
          items={['Storage', 'Networking', 'Metrics', 'Connect', 'Settings'].map((label) => ({
            id: label.toLowerCase(),
            label,
            content: <p className="text-sm text-fg-muted">{label} of the instance.</p>,
          }))}
        />
      </Specimen>
      <Specimen title="Accordion">
        <div>
          <Accordion title="Networking" defaultOpen>
            <p className="text-sm text-fg-muted">One interface in the default VPC.</p>
          </Accordion>
          <Accordion title="Configuration">
            <p className="text-sm text-fg-muted">Host name, user data, SSH keys.</p>
          </Accordion>
        </div>
      </Specimen>
    </>
  )
}
