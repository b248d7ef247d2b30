import * as text from '~/messages/image'

/** What the content and the name of a file reveal about its image. */
export interface ImageFileFacts {
  /** Offset of the header of a GUID partition table, in bytes. It equals the block size. `undefined` without one. */
  efiOffset: number | undefined
  /** Contains the file system of CDs and DVDs (ISO 9660). */
  isCd: boolean
  /** The extension is that of a compressed or other non-raw format. */
  isPacked: boolean
}

/** A warning about a selected file. The upload is still possible. */
export type ImageFileRemark =
  | { kind: 'blockSize'; text: string }
  | { kind: 'notBootable'; reasons: string[] }

/** The header of the partition table is in the second block, for every block size. */
const EFI_OFFSETS = [512, 2048, 4096]
const EFI_MARK = 'EFI PART'

const CD_OFFSET = 0x8001
const CD_MARK = 'CD001'
const CD_BLOCK_SIZE = 2048

const PACKED = /\.(gz|7z|qcow2|vmdk)$/i

async function hasTextAt(file: Blob, offset: number, text: string): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(offset, offset + text.length).arrayBuffer())
  return String.fromCharCode(...bytes) === text
}

/** Reads the bytes of a file that identify its format. */
export async function inspectImageFile(file: File): Promise<ImageFileFacts> {
  const isCd = await hasTextAt(file, CD_OFFSET, CD_MARK)
  let efiOffset: number | undefined
  for (const offset of EFI_OFFSETS) {
    if (efiOffset === undefined && (await hasTextAt(file, offset, EFI_MARK))) efiOffset = offset
  }
  return { efiOffset, isCd, isPacked: PACKED.test(file.name) }
}

/** Warnings about a file that will be written in blocks of this size, in bytes. */
export function imageFileRemarks(
  { efiOffset, isCd, isPacked }: ImageFileFacts,
  blockSize: number,
): ImageFileRemark[] {
  const remarks: ImageFileRemark[] = []
  if (efiOffset !== undefined && efiOffset !== blockSize) {
    remarks.push({
      kind: 'blockSize',
      text: text.efiBlockSizeText(efiOffset, blockSize),
    })
  } else if (efiOffset === undefined && isCd && blockSize !== CD_BLOCK_SIZE) {
    remarks.push({
      kind: 'blockSize',
      text: text.cdBlockSizeText(CD_BLOCK_SIZE, blockSize),
    })
  }
  const reasons: string[] = []
  if (efiOffset === undefined && !isCd) {
    reasons.push(text.noBootMarkerText)
  }
  if (isPacked) reasons.push(text.compressedText)
  if (reasons.length > 0) remarks.push({ kind: 'notBootable', reasons })
  return remarks
}
