import { Server } from 'lucide-react'
import { useState } from 'react'

import { Row, Specimen } from '~/gallery/specimen'
import { Button } from '~/ui/button'
import { confirm } from '~/ui/confirm'
import { confirmDelete } from '~/ui/confirm-delete'
import type { DialogWidth } from '~/ui/dialog'
import { Dialog } from '~/ui/dialog'
import { MenuButton } from '~/ui/menu'
import { SideModal } from '~/ui/side-modal'
import { toast } from '~/ui/toast'

const settle = (work: () => void) =>
  new Promise<void>((resolve, reject) => {
    window.setTimeout(() => {
      try {
        work()
        resolve()
      } catch (failure) {
        reject(failure instanceof Error ? failure : new Error(String(failure)))
      }
    }, 600)
  })

function Dialogs() {
  const [width, setWidth] = useState<DialogWidth | null>(null)
  const widths: DialogWidth[] = ['narrow', 'medium', 'free']
  return (
    <Specimen title="Dialog">
      <Row>
        {widths.map((each) => (
          <Button needs={null} key={each} variant="secondary" onPress={() => setWidth(each)}>
            Open {each}
          </Button>
        ))}
      </Row>
      <Dialog
        title="CLI command"
        isOpen={width !== null}
        width={width ?? 'medium'}
        onDismiss={() => setWidth(null)}
        footer={
          <>
            <Button needs={null} variant="secondary" size="sm" onPress={() => setWidth(null)}>
              Cancel
            </Button>
            <Button needs={null} size="sm">
              Copy command
            </Button>
          </>
        }
      >
        <pre className="overflow-x-auto rounded-sm border border-line bg-sunken p-3 text-xs">
          {'$ croft instance serial console \\\n    --project web \\\n    --instance db1'}
        </pre>
        <div className="mt-3">
          <MenuButton
            label="Menu in a dialog"
            trigger="Menu"
            placement="bottom start"
            className="rounded-sm border border-line-strong px-2 py-1 text-sm"
            items={[{ id: 'one', label: 'One' }]}
          />
        </div>
      </Dialog>
    </Specimen>
  )
}

function Confirmations() {
  return (
    <Specimen title="Confirm">
      <Row>
        <Button
          needs={null}
          variant="danger"
          onPress={() =>
            confirmDelete({
              label: 'disk-1',
              extra: 'Everything on it is lost.',
              action: () =>
                settle(() =>
                  toast({
                    content: (
                      <>
                        Disk <b>disk-1</b> deleted
                      </>
                    ),
                  }),
                ),
            })
          }
        >
          Delete disk
        </Button>
        <Button
          needs={null}
          variant="secondary"
          onPress={() =>
            confirm({
              title: 'Confirm stop instance',
              body: (
                <p>
                  Are you sure you want to stop <b>db1</b>? It can be started again.
                </p>
              ),
              tone: 'primary',
              confirmLabel: 'Stop',
              errorTitle: 'Could not stop instance',
              action: () =>
                settle(() => {
                  throw new Error('The instance is already stopping')
                }),
            })
          }
        >
          Stop instance (fails)
        </Button>
      </Row>
    </Specimen>
  )
}

const problems = ['Name already exists', 'Disk is too large for the quota']

function SideModals() {
  const [open, setOpen] = useState<'clean' | 'dirty' | 'failed' | null>(null)
  const close = () => setOpen(null)
  return (
    <Specimen title="Side modal">
      <Row>
        <Button needs={null} variant="secondary" onPress={() => setOpen('clean')}>
          Open
        </Button>
        <Button needs={null} variant="secondary" onPress={() => setOpen('dirty')}>
          Open with changes
        </Button>
        <Button needs={null} variant="secondary" onPress={() => setOpen('failed')}>
          Open with errors
        </Button>
      </Row>
      {open && (
        <SideModal
          slideIn
          title="Create instance"
          subject={{ icon: Server, name: 'db1' }}
          isDirty={open === 'dirty'}
          error={open === 'failed' ? problems : null}
          onDismiss={close}
          footer={
            <>
              <Button needs={null} variant="ghost" size="sm" onPress={close}>
                Cancel
              </Button>
              <Button needs={null} size="sm">
                Create instance
              </Button>
            </>
          }
        >
          <label className="block text-sm">
            Name
            <input className="mt-1 h-8 w-full rounded-sm border border-line-control bg-field px-2" />
          </label>
          <div className="mt-4 flex gap-2">
            <Button
              needs={null}
              variant="danger"
              size="sm"
              onPress={() =>
                confirmDelete({ label: 'key-1', action: () => settle(() => undefined) })
              }
            >
              Delete key
            </Button>
            <Button
              needs={null}
              variant="secondary"
              size="sm"
              onPress={() => toast({ content: 'From inside the panel' })}
            >
              Toast
            </Button>
          </div>
          <div className="mt-4 space-y-3 text-sm text-fg-muted">
            {Array.from({ length: 40 }, (_, index) => (
              <p key={index}>Line {index + 1} of a long form.</p>
            ))}
          </div>
        </SideModal>
      )}
    </Specimen>
  )
}

/** Everything that floats. */
export function Overlays() {
  return (
    <>
      <Dialogs />
      <Confirmations />
      <SideModals />
      <Specimen title="Toast">
        <Row>
          <Button
            needs={null}
            variant="secondary"
            onPress={() =>
              toast({
                content: (
                  <>
                    Image <b>ubuntu-22-04</b> promoted
                  </>
                ),
                link: { label: 'View silo images', href: '#toast' },
              })
            }
          >
            Success
          </Button>
          <Button
            needs={null}
            variant="secondary"
            onPress={() =>
              toast({
                variant: 'error',
                title: 'Could not delete resource',
                content: 'Disk is attached to an instance. Detach it first.',
              })
            }
          >
            Error
          </Button>
          <Button
            needs={null}
            variant="secondary"
            onPress={() =>
              toast({ variant: 'info', timeout: null, content: 'Stays until it is dismissed.' })
            }
          >
            Note
          </Button>
        </Row>
      </Specimen>
    </>
  )
}
