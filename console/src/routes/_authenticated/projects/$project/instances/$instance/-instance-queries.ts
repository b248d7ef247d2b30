import {
  instanceExternalIpList,
  instanceNetworkInterfaceList,
  instanceView,
} from '~/api/generated/operations'
import { allItems } from '~/api/list'
import { q } from '~/api/query'

/** The instance of a screen, as named in its path. */
export interface InstanceParams {
  project: string
  instance: string
}

/** The instance. */
export const instanceQuery = ({ project, instance }: InstanceParams) =>
  q(instanceView, { path: { instance }, query: { project } })

/** The external addresses of an instance: one page holds them all. */
export const externalIps = ({ project, instance }: InstanceParams) =>
  q(instanceExternalIpList, { path: { instance }, query: { project } })

/** The network interfaces of an instance. */
export const networkInterfaces = ({ project, instance }: InstanceParams) =>
  q(instanceNetworkInterfaceList, { query: { project, instance, limit: allItems } })
