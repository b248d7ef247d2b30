import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/_authenticated/projects/$project/vpcs/$vpc/_tabs/')({})
