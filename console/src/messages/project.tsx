/** Texts about projects. */

export const deleteHelp = (vpc: string) => (
  <>
    Its VPC <b>{vpc}</b> is deleted too, if the project contains nothing else.
  </>
)
export const containsAffinityGroupError = (group: string) =>
  `Project to be deleted contains an affinity group: ${group}`
export const containsAntiAffinityGroupError = (group: string) =>
  `Project to be deleted contains an anti-affinity group: ${group}`
