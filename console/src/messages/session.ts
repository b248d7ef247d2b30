export const unknownBrowserLabel = 'Unknown'
export const browserLabel = (browser: string, system: string) => `${browser} on ${system}`
