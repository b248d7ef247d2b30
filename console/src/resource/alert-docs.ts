import * as text from '~/messages/alert'
import type { PageDocs } from '~/ui/page-header'

/** What alerts are, for the info button of the screens about them. */
export const alertDocs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [
    { label: text.receiversLabel, href: '/explorer?operation=webhook_receiver_create' },
    { label: text.classesLabel, href: '/explorer?operation=alert_class_list' },
  ],
}
