/** The code of an upload of an image. */

export const uploadHelp =
  'Send the whole file in chunks of 512 KiB at most: repeat the call with $CHUNK for each, with its offset in bytes and its content as Base64. $SNAPSHOT_ID is the ID of the snapshot that the disk is finalized to.'
