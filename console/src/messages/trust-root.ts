export const jsonError = 'Must be JSON'
