import type { PageDocs } from '~/ui/page-header'

/** What alerts are, for the info button of the screens about them. */
export const alertDocs: PageDocs = {
  heading: 'alerts',
  summary:
    'An alert reports something that operators should know about, such as a failed instance. Croft sends alerts to receivers: web addresses that subscribe to alert classes. Each request is signed with the receiver’s secrets and retried if it fails.',
  links: [
    { label: 'Alert Receivers', href: '/explorer?operation=webhook_receiver_create' },
    { label: 'Alert Classes', href: '/explorer?operation=alert_class_list' },
  ],
}
