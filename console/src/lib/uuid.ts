const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text has the form of an id. Ids are always in lower case. */
export const isUuid = (text: string): boolean => UUID_PATTERN.test(text)
