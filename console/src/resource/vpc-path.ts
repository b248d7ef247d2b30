/** The screen that a VPC opens with. */
export const vpcPath = (project: string, vpc: string): string => `/projects/${project}/vpcs/${vpc}`
