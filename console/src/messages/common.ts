/** Words that several areas of the console share. */

export const cancelLabel = 'Cancel'
