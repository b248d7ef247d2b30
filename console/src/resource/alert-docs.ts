import type { PageDocs } from '~/ui/page-header'

/** What alerts are, for the info button of the screens about them. */
export const alertDocs: PageDocs = {
  heading: 'alerts',
  summary:
    'An alert tells of something that operators should know, for example that an instance has lost its machine. Croft sends alerts to receivers: web addresses that subscribe to classes of alerts. Each request is signed with the secrets of its receiver, and is tried again when it fails.',
  links: [
    { label: 'Alert Receivers', href: '/explorer?operation=webhook_receiver_create' },
    { label: 'Alert Classes', href: '/explorer?operation=alert_class_list' },
  ],
}
