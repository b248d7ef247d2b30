import { useState } from 'react'

import * as text from '~/messages/serial-console-screens'
import { Button } from '~/ui/button'
import { onDemand } from '~/ui/on-demand'

const CommandDialog = onDemand(async () => (await import('~/ui/command-dialog')).CommandDialog)

interface CliCommandProps {
  project: string
  /** Name of the instance. */
  instance: string
}

/** Shows how to open the serial console of an instance from a terminal. */
export function CliCommand({ project, instance }: CliCommandProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button needs={null} variant="secondary" size="sm" onPress={() => setOpen(true)}>
        {text.cliCommandLabel}
      </Button>
      {isOpen && (
        <CommandDialog
          title={text.cliCommandTitle}
          copyLabel={text.copyCommandLabel}
          parts={[
            'croft instance serial console',
            `--project ${project}`,
            `--instance ${instance}`,
          ]}
          onDismiss={close}
          onMissing={close}
        />
      )}
    </>
  )
}
