import * as text from '~/messages/alert'
import type { PageDocs } from '~/ui/page-header'

/** Explains alerts in the info panel of the alert screens. */
export const alertDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [
    { label: text.receiversLabel, href: '/explorer?operation=webhook_receiver_create' },
    { label: text.classesLabel, href: '/explorer?operation=alert_class_list' },
  ],
}
