import type { VpcSubnetCreate, VpcSubnetUpdate } from '~/api/generated/types.gen'
import { parseIpNet } from '~/lib/ip'
import type { IpVersion } from '~/lib/ip'
import * as text from '~/messages/vpc-subnet'

/** The choice of no custom router. Routers are chosen by their ids, none of which looks like this. */
export const NO_ROUTER = 'none'

/** What a person enters for a new subnet. */
export interface SubnetFormValues {
  name: string
  description: string
  ipv4Block: string
  ipv6Block: string
  /** Id of a router, or {@link NO_ROUTER}. */
  customRouter: string
}

/** A new subnet's form. */
export const SUBNET_FORM_DEFAULTS: SubnetFormValues = {
  name: '',
  description: '',
  ipv4Block: '',
  ipv6Block: '',
  customRouter: NO_ROUTER,
}

const chosenRouter = (router: string) => (router === NO_ROUTER ? undefined : router)

/** The subnet that the form describes. Without an IPv6 block the server takes a free one. */
export function subnetBody(values: SubnetFormValues): VpcSubnetCreate {
  const { name, description, ipv4Block, ipv6Block, customRouter } = values
  return {
    name,
    description,
    ipv4Block: ipv4Block.trim(),
    ipv6Block: ipv6Block.trim() || undefined,
    customRouter: chosenRouter(customRouter),
  }
}

/** What can be changed of a subnet. */
export type SubnetEditValues = Pick<SubnetFormValues, 'name' | 'description' | 'customRouter'>

/** The changes that the form describes. A router that is not named is detached, so that the one there has to be named again. */
export const subnetChanges = ({ customRouter, ...values }: SubnetEditValues): VpcSubnetUpdate => ({
  ...values,
  customRouter: chosenRouter(customRouter),
})

/** @returns the message for a text that is no network of this version. Surrounding spaces are not looked at, an empty text is. */
export function validateBlock(block: string, version: IpVersion): string | undefined {
  const parsed = parseIpNet(block.trim())
  if (parsed.type === 'error') return parsed.message
  if (parsed.type === version) return undefined
  return text.blockError[version]
}
