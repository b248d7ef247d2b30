import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/storage',
)({
  component: RouteComponent,
})

function RouteComponent() {
  return (
    <div>
      Hello
      "/_authenticated/projects/$project/instances/$instance/_tabs/storage"!
    </div>
  )
}
