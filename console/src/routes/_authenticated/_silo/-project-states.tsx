import type { Instance } from '~/api/generated/types.gen'
import * as text from '~/messages/overview'
import { InstanceStates } from '~/resource/overview-tile'
import { CardBlock } from '~/ui/card-block'
import { Link } from '~/ui/link'
import { Skeleton } from '~/ui/skeleton'

interface ProjectStatesProps {
  /** Projects with their instances, once these are known. */
  projects: readonly { project: string; instances: readonly Instance[] | undefined }[]
}

/** The projects with the states of their instances, each with a link to its overview. */
export const ProjectStates = ({ projects }: ProjectStatesProps) => (
  <CardBlock title={text.projectStatesTitle} flush>
    <ul aria-label={text.projectStatesTitle}>
      {projects.map(({ project, instances }) => (
        <li
          key={project}
          className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 text-sm last:border-b-0"
        >
          <Link
            href={`/projects/${project}/overview`}
            className="min-w-0 grow rounded-sm break-all text-fg underline decoration-line-strong underline-offset-3 hover:decoration-current"
          >
            {project}
          </Link>
          {instances ? <States instances={instances} /> : <Skeleton />}
        </li>
      ))}
    </ul>
  </CardBlock>
)

const States = ({ instances }: { instances: readonly Instance[] }) =>
  instances.length > 0 ? (
    <InstanceStates instances={instances} />
  ) : (
    <span className="text-fg-muted">{text.noInstancesText}</span>
  )
