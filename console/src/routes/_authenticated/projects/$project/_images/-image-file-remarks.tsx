import { useQuery } from '@tanstack/react-query'

import * as text from '~/messages/image-screens'
import { imageFileRemarks, inspectImageFile } from '~/resource/image-file'
import { Message } from '~/ui/message'

/** Warnings about the content of the selected file. `blockSize` is in bytes. */
export function ImageFileRemarks({ file, blockSize }: { file: File; blockSize: number }) {
  const { data: facts } = useQuery({
    queryKey: ['imageFile', file.name, file.size, file.lastModified],
    queryFn: () => inspectImageFile(file),
    staleTime: 0,
    gcTime: 0,
  })
  return (facts ? imageFileRemarks(facts, blockSize) : []).map((remark) =>
    remark.kind === 'blockSize' ? (
      <Message key={remark.kind} title={text.blockSizeRemarkTitle}>
        {remark.text}
      </Message>
    ) : (
      <Message key={remark.kind} title={text.bootRemarkTitle}>
        <ul className="ml-4 list-disc">
          {remark.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </Message>
    ),
  )
}
