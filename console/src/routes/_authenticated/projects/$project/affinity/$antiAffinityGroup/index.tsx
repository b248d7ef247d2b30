import { createFileRoute } from '@tanstack/react-router'

// The page itself is the layout around this route, so that the form over it does not mount it again.
export const Route = createFileRoute(
  '/_authenticated/projects/$project/affinity/$antiAffinityGroup/',
)({})
