/** Texts about TLS certificates. */

export const fileReadError = 'A file could not be read. Select it again.'
export const addTitle = 'Add TLS certificate'
export const submitLabel = 'Add Certificate'
export const nameTakenError = 'A certificate with this name already exists'
export const certificateHelp = 'The certificate and its chain, in PEM format'
export const keyHelp = 'In PEM format'
export const listLabel = 'TLS Certificates'
export const removeLabel = (name: string) => `remove cert ${name}`
export const addLabel = 'Add TLS certificate'
