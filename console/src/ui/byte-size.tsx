import { bytesToParts } from '~/lib/units'

/** Size in binary units, with the unit dimmed: "4 GiB". */
export function ByteSize({ bytes }: { bytes: number }) {
  const { value, unit } = bytesToParts(bytes)
  return (
    <span className="whitespace-nowrap tabular">
      {value} <span className="text-fg-subtle">{unit}</span>
    </span>
  )
}
