/** Texts about projects. */

export const deleteHelp = (vpc: string) => (
  <>
    Its VPC <b>{vpc}</b> is deleted too, if the project contains nothing else.
  </>
)
