import type { Instance } from '~/api/generated/types.gen'
import * as text from '~/messages/instance-columns'
import { ScreenPicture } from '~/resource/screen-picture'
import { Link } from '~/ui/link'

/** Milliseconds from one picture to the next. */
const INTERVAL = 10_000

/** A picture of an instance's screen, which leads to the graphical console. */
export function ScreenPanel({ project, instance }: { project: string; instance: Instance }) {
  return (
    <Link
      href={`/projects/${project}/instances/${instance.name}/graphical-console`}
      aria-label={text.screenOfInstanceLabel(instance.name)}
      className="mb-6 block h-40 w-64 max-w-full shrink-0 overflow-hidden rounded-md border border-line"
    >
      <ScreenPicture instance={instance} project={project} interval={INTERVAL} />
    </Link>
  )
}
