import { createFileRoute } from '@tanstack/react-router'

import { SiloLayout } from '~/app/silo-layout'

export const Route = createFileRoute('/_authenticated/_silo')({ component: SiloLayout })
