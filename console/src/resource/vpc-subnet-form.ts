import type { VpcSubnetCreate, VpcSubnetUpdate } from '~/api/generated/types.gen'
import { parseIpNet } from '~/lib/ip'
import type { IpVersion } from '~/lib/ip'
import * as text from '~/messages/vpc-subnet'

/** The value of the option for no custom router. The ids of routers are UUIDs and never equal it. */
export const NO_ROUTER = 'none'

/** The values of the form for a new subnet. */
export interface SubnetFormValues {
  name: string
  description: string
  ipv4Block: string
  ipv6Block: string
  /** Id of a router, or {@link NO_ROUTER}. */
  customRouter: string
}

/** The initial values of the form. */
export const SUBNET_FORM_DEFAULTS: SubnetFormValues = {
  name: '',
  description: '',
  ipv4Block: '',
  ipv6Block: '',
  customRouter: NO_ROUTER,
}

const chosenRouter = (router: string) => (router === NO_ROUTER ? undefined : router)

/** The subnet that the form describes. Without an IPv6 block the server chooses a free one. */
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

/** The values of the form that edits a subnet. */
export type SubnetEditValues = Pick<SubnetFormValues, 'name' | 'description' | 'customRouter'>

/** The body of the update that the form describes. An absent router is detached, so the current one has to be sent again to keep it. */
export const subnetChanges = ({ customRouter, ...values }: SubnetEditValues): VpcSubnetUpdate => ({
  ...values,
  customRouter: chosenRouter(customRouter),
})

/** @returns the error for a text that is not a network of this IP version. Surrounding spaces are ignored; an empty text is an error. */
export function validateBlock(block: string, version: IpVersion): string | undefined {
  const parsed = parseIpNet(block.trim())
  if (parsed.type === 'error') return parsed.message
  if (parsed.type === version) return undefined
  return text.blockError[version]
}
