import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'

import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'

/** Where Croft's source is kept, if whoever built this has told. Nothing is linked that leads nowhere. */
const SOURCE = import.meta.env.VITE_SOURCE_URL?.replace(/\/$/, '')

const repositories = [
  {
    label: 'Web console',
    detail: 'what you are looking at',
    folder: 'console',
    href: SOURCE && `${SOURCE}/console`,
  },
  {
    label: 'TypeScript API client generator',
    detail: 'makes the calls of the console from the API document',
    href: 'https://github.com/hey-api/openapi-ts',
  },
  {
    label: 'Control plane and API',
    detail: 'what answers, here and on a server',
    folder: 'crates',
    href: SOURCE && `${SOURCE}/crates`,
  },
]

interface AboutDialogProps {
  onDismiss: () => void
  /** Goes to a screen of the console. */
  onFollow: (href: string) => void
}

/** What the preview is, and what becomes of what one does in it. */
export function AboutDialog({ onDismiss, onFollow }: AboutDialogProps) {
  return (
    <Dialog
      title="Console Technical Preview"
      isOpen
      onDismiss={onDismiss}
      footer={
        <Button needs={null} variant="secondary" onPress={onDismiss}>
          Close
        </Button>
      }
    >
      <div className="space-y-3">
        <p>
          This is the {SOURCE ? <Outward href={SOURCE}>Croft</Outward> : 'Croft'} console, and its
          control plane is in this page: the core of the server, written in Rust and compiled to{' '}
          <Outward href="https://webassembly.org">WebAssembly</Outward>, answers every call from a
          worker of your browser. What you create persists across client-side navigation, nobody
          else sees it, and it vanishes when you refresh the page.
        </p>
        <p>
          Requests and answers are those of the{' '}
          <button
            type="button"
            className="cursor-pointer rounded-sm text-accent-text underline underline-offset-2"
            onClick={() => onFollow('/explorer')}
          >
            API document
          </button>
          , and the rules are a real server&apos;s. Only the machines are not: disks, networks and
          serial consoles are simulated as far as there is something to see, and each call takes 200
          to 400 milliseconds, as if it went a long way. In your browser&apos;s own console,{' '}
          <code className="text-sm">croft.fetch(&apos;/v1/projects&apos;)</code> makes one.
        </p>
        <section aria-labelledby="preview-repositories">
          <h3 id="preview-repositories" className="mt-5 mb-2 font-medium text-fg">
            Relevant repositories
          </h3>
          <ul className="space-y-1.5">
            {repositories.map(({ label, detail, folder, href }) => (
              <li key={label}>
                {href ? (
                  <Outward href={href}>{label}</Outward>
                ) : (
                  <span className="font-medium text-fg">{label}</span>
                )}
                <span className="block text-sm">
                  {detail}
                  {!href && (
                    <>
                      ; <code>{folder}/</code> in Croft&apos;s source
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Dialog>
  )
}

/** A link that leaves the preview, in a tab of its own. */
function Outward({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="rounded-sm text-accent-text underline underline-offset-2"
    >
      {children}
      <ExternalLink aria-hidden="true" className="ml-1 inline size-3.5" />
    </a>
  )
}
