/** What is around every screen: navigation, palette, notices. */

import type { ReactNode } from 'react'

export const breadcrumbsLabel = 'Breadcrumbs'
export const paletteTitle = 'Quick actions'
export const searchLabel = 'Search'
export const noActionsTitle = 'No actions available'
export const noMatchTitle = 'No actions match'
export const searchingLabel = 'Searching'
export const submitKeyLabel = 'to submit'
export const selectKeyLabel = 'to select'
export const closeKeyLabel = 'to close'
export const guidesTitle = 'Guides'
export const navigationLabel = 'Navigation'
export const productLabel = 'Croft'
export const expandSidebarLabel = 'Expand sidebar'
export const collapseSidebarLabel = 'Collapse sidebar'
export const collapseLabel = 'Collapse'
export const sidebarLabel = 'Sidebar navigation'
export const skipLabel = 'Skip to content'
export const openNavigationLabel = 'Open navigation'
export const jumpToLabel = 'Jump to'
export const systemThemeLabel = 'System'
export const lightThemeLabel = 'Light'
export const darkThemeLabel = 'Dark'
export const userMenuLabel = 'User menu'
export const userLabel = 'User'
export const settingsLabel = 'Settings'
export const themeLabel = 'Theme'
export const explorerLabel = 'API explorer'
export const followSystemThemeLabel = 'Follow the system theme'
export const chooseLightThemeLabel = 'Use the light theme'
export const chooseDarkThemeLabel = 'Use the dark theme'
export const manageSystemLabel = 'Manage system'
export const systemLabel = 'System'
export const consoleTitle = 'Croft Console'
export const goToProjectTitle = 'Go to project'
export const liveLabel = 'Live'
export const liveHelp = 'Changes appear as they happen.'
export const pollingLabel = 'Polling'
export const pollingHelp =
  'Live updates are interrupted. Screens with something in progress refresh every few seconds. Other screens show the data from when you opened them.'
export const offlineLabel = 'Offline'
export const offlineHelp =
  'This browser has no network. The screen shows what was fetched before, and is updated when the connection is back.'
export const projectsLabel = 'Projects'
export const instancesLabel = 'Instances'
export const disksLabel = 'Disks'
export const snapshotsLabel = 'Snapshots'
export const imagesLabel = 'Images'
export const vpcsLabel = 'VPCs'
export const floatingIpsLabel = 'Floating IPs'
export const affinityGroupsLabel = 'Affinity Groups'
export const activityLabel = 'Activity'
export const metricsLabel = 'Metrics'
export const projectAccessLabel = 'Project Access'
export const pageLabel = 'Page'
export const siloLabel = 'Silo'
export const switchLevelLabel = 'Switch between system and silo'
export const levelLabel = 'Level'
export const profileLabel = 'Profile'
export const signInSettingsLabel = 'Sign-in'
export const sessionsLabel = 'Sessions'
export const sshKeysLabel = 'SSH Keys'
export const accessTokensLabel = 'Access Tokens'
export const scopeNavigationLabel = 'Scope navigation'
export const filterListLabel = 'Filter this list'
export const otherRowsLabel = 'Go to another row'
export const controlsOfRowLabel = 'Go through the controls of a row'
export const openRowLabel = 'Open a row'
export const openRowMenuLabel = 'Open the menu of a row'
export const showShortcutsLabel = 'Show this list'
export const shortcutsTitle = 'Keyboard shortcuts'
export const signOutFailedTitle = 'Could not sign out'
export const utilizationLabel = 'Utilization'
export const siloAccessLabel = 'Silo Access'
export const silosLabel = 'Silos'
export const inventoryLabel = 'Inventory'
export const ipPoolsLabel = 'IP Pools'
export const alertsLabel = 'Alerts'
export const supportBundlesLabel = 'Support bundles'
export const updatesLabel = 'Updates'
export const auditLogLabel = 'Audit log'

export const projectTitle = (project: string) => `Project '${project}'`

export const siloTitle = (silo: string) => `Silo '${silo}'`

export const backToSiloTitle = (silo: string) => `Back to silo '${silo}'`

export const goToLabel = (screen: string) => `Go to ${screen}`

export const staleText = (time: ReactNode, reason: string) => (
  <>
    Could not refresh. Showing data from {time}. {reason}
  </>
)
export const overviewLabel = 'Overview'
