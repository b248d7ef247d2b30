import { createFileRoute } from '@tanstack/react-router'

// The page is the layout around this route, so that opening a form over it does not mount it again.
export const Route = createFileRoute('/_authenticated/system/networking/ip-pools/$pool/')({})
