import { CopyButton } from '~/ui/copy-button'

import { urlHost } from './external-ips'

/** An external address with a link that opens it and a button that copies it. */
export function ExternalIpLink({ ip }: { ip: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <a
        href={`https://${urlHost(ip)}`}
        target="_blank"
        rel="noreferrer"
        className="truncate rounded-sm font-mono text-xs underline decoration-line-strong underline-offset-3 hover:decoration-current"
      >
        {ip}
      </a>
      <CopyButton value={ip} />
    </span>
  )
}
