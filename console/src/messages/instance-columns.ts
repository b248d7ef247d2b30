// Texts of the columns of the list of instances that not everybody shows, and of the buttons in its rows.

export const privateIpsLabel = 'private IPs'
export const externalIpsLabel = 'external IPs'
export const otherIpsTitle = 'Other IPs'
export const imageLabel = 'boot image'
export const networkLabel = 'VPC / subnet'
export const screenLabel = 'screen'
export const screenOfInstanceLabel = (name: string) => `Screen of ${name}`
export const noPictureText = 'No picture of the screen'
export const cpuUseLabel = 'CPU use'
export const copyIpLabel = (ip: string) => `Copy ${ip}`
export const cpuUseText = (now: number, most: number) =>
  `CPU use: ${now}% now, at most ${most}% in the last hour`
export const percentText = (percent: number) => `${percent}%`
export const showDetailsLabel = 'Show the details of a row; again: go there'
export const detailsOfInstanceLabel = (name: string) => `Details of ${name}`
export const startInstanceLabel = (name: string) => `Start ${name}`
export const stopInstanceLabel = (name: string) => `Stop ${name}`
export const consoleOfInstanceLabel = (name: string) => `Serial console of ${name}`
