/** What the values are called by which columns filter, where the values themselves are not words. */

export const noValueLabel = 'none'
export const yesOrNoLabel = { true: 'yes', false: 'no' }
export const ageLabel = {
  hour: 'last hour',
  day: 'last 24 hours',
  week: 'last 7 days',
  month: 'last 30 days',
  older: 'more than 30 days ago',
  never: 'never',
}
export const versionLabel = { v4: 'IPv4', v6: 'IPv6' }
