/** Texts of the screens for the images of a silo. */

export const siloImagesTitle = 'Silo Images'
export const tableLabel = 'Silo images'
export const emptyTitle = 'No images'
export const emptyHelp = 'Promote an image to see it here'
export const promoteImageLabel = 'Promote image'
