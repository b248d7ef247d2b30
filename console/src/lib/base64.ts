/** Bytes per step, because the number of arguments of a call is limited. */
const STEP = 0x8000

/** Bytes as standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let start = 0; start < bytes.length; start += STEP) {
    binary += String.fromCharCode(...bytes.subarray(start, start + STEP))
  }
  return btoa(binary)
}

/** The content of a file as standard base64. */
export async function fileToBase64(file: Blob): Promise<string> {
  return toBase64(new Uint8Array(await file.arrayBuffer()))
}
