import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'

import * as common from '~/messages/common'
import * as text from '~/messages/preview'
import { Dialog } from '~/ui/dialog'

/** Address of Croft's source, if the build sets one. */
const SOURCE = import.meta.env.VITE_SOURCE_URL?.replace(/\/$/, '')

const repositories = [
  {
    label: text.consoleRepositoryLabel,
    detail: text.consoleRepositoryHelp,
    inSource: text.consoleInSourceHelp(<code>console/</code>),
    href: SOURCE && `${SOURCE}/console`,
  },
  {
    label: text.generatorRepositoryLabel,
    detail: text.generatorRepositoryHelp,
    href: 'https://github.com/hey-api/openapi-ts',
  },
  {
    label: text.serverRepositoryLabel,
    detail: text.serverRepositoryHelp,
    inSource: text.serverInSourceHelp(<code>crates/</code>),
    href: SOURCE && `${SOURCE}/crates`,
  },
]

interface AboutDialogProps {
  onDismiss: () => void
  /** Goes to a screen of the console. */
  onFollow: (href: string) => void
}

/** Explains what the preview is and what happens to data in it. */
export function AboutDialog({ onDismiss, onFollow }: AboutDialogProps) {
  return (
    <Dialog title={text.aboutTitle} isOpen onDismiss={onDismiss} closeLabel={common.closeLabel}>
      <div className="space-y-3">
        <p>
          {text.aboutHelp(
            SOURCE ? <SiteLink href={SOURCE}>{text.productLabel}</SiteLink> : text.productLabel,
            <SiteLink href="https://webassembly.org">{text.webAssemblyLabel}</SiteLink>,
          )}
        </p>
        <p>
          {text.callsHelp(
            <button
              type="button"
              className="cursor-pointer rounded-sm text-accent-text underline underline-offset-2"
              onClick={() => onFollow('/explorer')}
            >
              {text.apiDocumentLabel}
            </button>,
            <code className="text-sm">croft.fetch(&apos;/v1/projects&apos;)</code>,
          )}
        </p>
        <section aria-labelledby="preview-repositories">
          <h3 id="preview-repositories" className="mt-5 mb-2 font-medium text-fg">
            {text.repositoriesTitle}
          </h3>
          <ul className="space-y-1.5">
            {repositories.map(({ label, detail, inSource, href }) => (
              <li key={label}>
                {href ? (
                  <SiteLink href={href}>{label}</SiteLink>
                ) : (
                  <span className="font-medium text-fg">{label}</span>
                )}
                <span className="block text-sm">{href ? detail : inSource}</span>
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
