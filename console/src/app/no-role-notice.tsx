import { onDemand } from '~/ui/on-demand'

/**
 * Tells somebody who has no role on the silo who they are signed in as, and whom to ask. Nothing for everybody else. It comes when a role is
 * missing, which is rare.
 */
export const NoRoleNotice = onDemand(
  async () => (await import('./no-role-explanation')).NoRoleExplanation,
)
