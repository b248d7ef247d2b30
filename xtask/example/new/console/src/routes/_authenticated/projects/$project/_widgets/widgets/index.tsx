import { createFileRoute } from '@tanstack/react-router'

// The list itself is the layout around this route, so that opening a form over it does not mount it again.
export const Route = createFileRoute('/_authenticated/projects/$project/_widgets/widgets/')({})
