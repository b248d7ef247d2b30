import { createFileRoute } from '@tanstack/react-router'

// The list itself is the layout around this route, so that a form over it does not mount it again.
export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_routers/routers/',
)({})
