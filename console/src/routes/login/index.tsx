import { createFileRoute } from '@tanstack/react-router'

import { SiloChooser } from '~/login/silo-chooser'

// The server gives the login screens a small page of their own (login.html); this route serves hosts that know one page only.
export const Route = createFileRoute('/login/')({ component: SiloChooser })
