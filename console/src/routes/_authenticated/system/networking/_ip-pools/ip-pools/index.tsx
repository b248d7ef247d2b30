import { createFileRoute } from '@tanstack/react-router'

// The list itself is the layout around this route, so that opening the form over it does not mount it again.
export const Route = createFileRoute('/_authenticated/system/networking/_ip-pools/ip-pools/')({})
