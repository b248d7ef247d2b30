import type { ReactNode } from 'react'

/** Texts of the overviews of a project, of the silo and of the system. */

export const projectActionsLabel = 'Project actions'
export const overviewTitle = 'Overview'
export const countText = (count: number, isCut: boolean) => (isCut ? `${count}+` : `${count}`)
export const instancesLabel = 'Instances'
export const disksLabel = 'Disks'
export const snapshotsLabel = 'Snapshots'
export const imagesLabel = 'Images'
export const projectsLabel = 'Projects'
export const concernsTitle = 'Failed or stuck'
export const noConcernsText = 'Nothing failed, and nothing takes longer than it should.'
export const checkingText = 'Checking'
export const moreConcernsText = (count: number) => `And ${count} more`
export const kindText = { instance: 'Instance', disk: 'Disk', snapshot: 'Snapshot' }
export const kindInText = {
  instance: (place: string) => `Instance in ${place}`,
  disk: (place: string) => `Disk in ${place}`,
  snapshot: (place: string) => `Snapshot in ${place}`,
}
export const agoText = (distance: ReactNode) => <>{distance} ago</>
export const lastsText = (duration: ReactNode) => <>for {duration}</>
export const quotaTitle = 'Quota of the silo'
export const quotaLabel = 'Quota'
export const utilizationLabel = 'Utilization over time'
export const activityTitle = 'Latest activity'
export const noActivityText = 'No activity yet'
export const stepsTitle = 'First steps'
export const dismissLabel = 'Dismiss first steps'
export const stepDoneText = 'done'
export const stepOpenText = 'not yet done'
export const stepTitle = {
  image: 'Get an image',
  'ssh-key': 'Add your SSH key',
  instance: 'Create an instance',
  firewall: 'Let traffic in',
}
export const stepHelp = {
  image: 'An instance starts from a copy of an image, such as the cloud image of a distribution.',
  'ssh-key': 'New instances accept it, so that you can sign in to them.',
  instance: 'With an image selected, it needs little more than a name.',
  firewall: 'A new VPC lets in SSH and ping. Everything else needs a firewall rule.',
}
export const stepButtonLabel = {
  image: 'Upload image',
  'ssh-key': 'Add SSH key',
  instance: 'Create instance',
  firewall: 'Add firewall rule',
}
export const allActivityLabel = 'Audit log'
export const checkProjectsLabel = (count: number) => `Check the instances of ${count} projects`
export const projectStatesTitle = 'Projects'
export const noInstancesText = 'No instances'
export const noProjectsTitle = 'No projects'
export const noProjectsHelp = 'Instances, disks and networks are in projects.'
export const newProjectLabel = 'New project'
export const onSledsLabel = 'Instances on sleds'
export const silosLabel = 'Silos'
export const sledsLabel = 'Sleds'
export const sledsOpenText = (count: number) =>
  count === 1 ? '1 takes new instances' : `${count} take new instances`
export const checkSledsLabel = (count: number) => `Check the instances of ${count} sleds`
export const allQuotasTitle = 'Quotas of all silos'
export const tightSilosTitle = 'Silos at their quota'
export const noTightSilosText = 'No silo uses more than three quarters of its quota.'
export const noQuotaText = 'No quota'
export const usesText = (percent: number) => `${percent}% of a quota`
export const placeText = (silo: string, project: string) => `${project} of silo ${silo}`
