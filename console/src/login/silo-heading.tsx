import { Identicon } from '~/ui/identicon'

/** The silo to sign in to. */
export function SiloHeading({ silo }: { silo: string }) {
  return (
    <div className="flex items-center gap-3">
      <Identicon name={silo} className="size-10" />
      <h1 className="min-w-0 truncate text-xl font-semibold">{silo}</h1>
    </div>
  )
}
