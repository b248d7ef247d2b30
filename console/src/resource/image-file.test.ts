import { describe, expect, it } from 'vitest'

import { imageFileRemarks, inspectImageFile } from './image-file'

/** A file of zeros with texts in it, by their offset. */
function fileWith(texts: Record<number, string>, name = 'disk.raw') {
  const bytes = new Uint8Array(0x9000)
  for (const [offset, text] of Object.entries(texts)) {
    bytes.set(new TextEncoder().encode(text), Number(offset))
  }
  return new File([bytes], name)
}

async function remarksAbout(file: File, blockSize: number) {
  const remarks = imageFileRemarks(await inspectImageFile(file), blockSize)
  return remarks.map((remark) =>
    remark.kind === 'blockSize' ? remark.text : remark.reasons.join(' '),
  )
}

describe('a file with an EFI partition table', () => {
  it.each([512, 2048, 4096])('is in order where it stands at byte %i', async (blockSize) => {
    const file = fileWith({ [blockSize]: 'EFI PART' })
    expect(await remarksAbout(file, blockSize)).toEqual([])
  })

  it('says so when the block size is another', async () => {
    const [remark] = await remarksAbout(fileWith({ 4096: 'EFI PART' }), 512)
    expect(remark).toMatch(/at byte 4096.*set to 512/)
  })

  it('takes the first of several places', async () => {
    const file = fileWith({ 512: 'EFI PART', 4096: 'EFI PART' })
    expect(await remarksAbout(file, 512)).toEqual([])
  })
})

describe('a file of a CD', () => {
  it('has blocks of 2048 bytes', async () => {
    const file = fileWith({ 0x8001: 'CD001' })
    expect(await remarksAbout(file, 2048)).toEqual([])
    const [remark] = await remarksAbout(file, 512)
    expect(remark).toMatch(/2048.*set to 512/)
  })
})

describe('a file that might not boot', () => {
  it('has no marker', async () => {
    const [remark] = await remarksAbout(fileWith({}), 512)
    expect(remark).toMatch(/^No boot marker was found/)
  })

  it.each(['a.gz', 'a.7z', 'a.QCOW2', 'a.vmdk'])('is called %s', async (name) => {
    const [remark] = await remarksAbout(fileWith({ 512: 'EFI PART' }, name), 512)
    expect(remark).toMatch(/^The file might be compressed/)
  })

  it('has both against it', async () => {
    const [remark] = await remarksAbout(fileWith({}, 'a.img.gz'), 512)
    expect(remark).toMatch(/No boot marker.*compressed/)
  })

  it('may be shorter than the places that are looked at', async () => {
    const [remark] = await remarksAbout(new File(['x'], 'x.raw'), 512)
    expect(remark).toMatch(/^No boot marker/)
  })
})
