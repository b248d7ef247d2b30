import { Badge } from '~/ui/badge'

/** The server's description of what runs the machines, and a short label for it. */
export interface MachinesNote {
  label: string
  text: string
}

/**
 * What runs the machines, as the server wrote it into the page: a kind, a space, and a sentence for people. None where
 * the page did not come from a Croft server, as in development.
 */
export function machinesNote(): MachinesNote | undefined {
  const tag = document.querySelector<HTMLMetaElement>('meta[name="croft-machines"]')
  const [, kind, text] = /^(\w+) (.+)$/.exec(tag?.content ?? '') ?? []
  if (!kind || !text) return undefined
  return { label: kind === 'qemu' ? 'QEMU' : kind, text }
}

/** Shows what runs the machines, so that simulated ones are not taken for real and slow ones not for broken. */
export function MachinesBadge() {
  const note = machinesNote()
  if (!note) return null
  return (
    <span title={note.text} className="max-md:hidden">
      <Badge tone={note.label === 'simulated' ? 'notice' : 'neutral'}>{note.label}</Badge>
      <span className="sr-only">{note.text}</span>
    </span>
  )
}
