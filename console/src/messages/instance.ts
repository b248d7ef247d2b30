export const autoRestartStatusLabel = 'Auto-restart status'
export const restartSoonHelp = 'The instance will be restarted shortly.'
export const restartAfterCooldownHelp = 'The instance will be restarted once the cooldown is over.'
export const neverRestartedHelp = 'The instance stays failed until it is started manually.'
export const autoRestartLabel = 'Auto Restart'
export const autoRestartPolicyLabel = 'Policy'
export const autoRestartCooldownLabel = 'Cooldown'
export const restartingSoonText = 'Restarting soon…'
export const cooldownWaitingText = (left: string) => `Waiting (${left})`
export const defaultPolicyLabel = 'Default'
export const neverPolicyLabel = 'never'
export const bestEffortPolicyLabel = 'best effort'
export const minutesText = (minutes: number) =>
  minutes <= 1 ? 'less than a minute' : `${minutes} minutes`
