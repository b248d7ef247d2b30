import * as text from '~/messages/silo'
import type { PageDocs } from '~/ui/page-header'

/** Explains silos in the info panel of their screens. */
export const siloDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [
    { label: text.silosLabel, href: '/explorer?operation=silo_create' },
    {
      label: text.identityProvidersLabel,
      href: '/explorer?operation=saml_identity_provider_create',
    },
    { label: text.ipPoolsLabel, href: '/explorer?operation=ip_pool_silo_link' },
    { label: text.accessControlLabel, href: '/explorer?operation=silo_policy_view' },
  ],
}
