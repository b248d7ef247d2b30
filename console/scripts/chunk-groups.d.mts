/** Groups of modules that the build puts into one file each, in the order in which they take them. */
export declare const chunkGroups: Array<{
  name: string
  test: RegExp
  minShareCount?: number
  minSize?: number
  maxSize?: number
  priority?: number
}>
