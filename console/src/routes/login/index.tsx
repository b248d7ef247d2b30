import { createFileRoute } from '@tanstack/react-router'

import { SiloChooser } from '~/login/silo-chooser'

// The server serves the login screens from a smaller page (login.html). This route is for hosts that serve only index.html.
export const Route = createFileRoute('/login/')({ component: SiloChooser })
