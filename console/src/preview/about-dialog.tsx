import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'

import { Button } from '~/ui/button'
import { Dialog } from '~/ui/dialog'

/** Where Croft's source is kept, if whoever built this has told. Nothing is linked that leads nowhere. */
const SOURCE = import.meta.env.VITE_SOURCE_URL?.replace(/\/$/, '')

const repositories = [
  {
    label: 'Web console',
    detail: 'this user interface',
    folder: 'console',
    href: SOURCE && `${SOURCE}/console`,
  },
  {
    label: 'TypeScript API client generator',
    detail: 'generates the console’s API client from the OpenAPI document',
    href: 'https://github.com/hey-api/openapi-ts',
  },
  {
    label: 'Control plane and API',
    detail: 'the API server, here and in an installation',
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
          This is the {SOURCE ? <SiteLink href={SOURCE}>Croft</SiteLink> : 'Croft'} console. Its
          control plane runs in this page: the core of the server, written in Rust and compiled to{' '}
          <SiteLink href="https://webassembly.org">WebAssembly</SiteLink>, handles every call in a
          web worker. What you create persists across client-side navigation, nobody else sees it,
          and it vanishes when you refresh the page.
        </p>
        <p>
          Requests and responses follow the{' '}
          <button
            type="button"
            className="cursor-pointer rounded-sm text-accent-text underline underline-offset-2"
            onClick={() => onFollow('/explorer')}
          >
            API document
          </button>
          , and the rules are the same as on a server. Machines, disks, networks and serial consoles
          are simulated. Each call takes 200 to 400 milliseconds, like a call over a network. To
          make a call yourself, enter{' '}
          <code className="text-sm">croft.fetch(&apos;/v1/projects&apos;)</code> in the browser’s
          developer console.
        </p>
        <section aria-labelledby="preview-repositories">
          <h3 id="preview-repositories" className="mt-5 mb-2 font-medium text-fg">
            Relevant repositories
          </h3>
          <ul className="space-y-1.5">
            {repositories.map(({ label, detail, folder, href }) => (
              <li key={label}>
                {href ? (
                  <SiteLink href={href}>{label}</SiteLink>
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
function SiteLink({ href, children }: { href: string; children: ReactNode }) {
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
