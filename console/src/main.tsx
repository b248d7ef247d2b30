import './styles/base.css'

import { createConsoleRouter } from '~/app/router'
import { startConsole } from '~/app/start'

await startConsole(createConsoleRouter())
