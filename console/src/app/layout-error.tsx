import { useParams } from '@tanstack/react-router'

import { errorText } from './error-text'
import { PaneError } from './pane-error'
import { ProjectLayout } from './project-layout'
import { SiloLayout } from './silo-layout'

/**
 * The error page for what a layout itself needs. The session's data is there, so bar and sidebar are: those of the project unless it may not
 * exist or may not be seen, else those of the silo.
 */
export function LayoutError({ error }: { error: unknown }) {
  const { project } = useParams({ strict: false })
  const { kind, notice } = errorText(error)
  const content = <PaneError error={error} />
  const isHidden = kind === 'not-found' || notice !== undefined
  return project && !isHidden ? (
    <ProjectLayout project={project} content={content} />
  ) : (
    <SiloLayout content={content} />
  )
}
