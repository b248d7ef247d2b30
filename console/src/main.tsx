import './styles/base.css'

import { createConsoleRouter } from '~/app/router'
import { startConsole } from '~/app/start'

// Not awaited: with `await` at the top level of a module the bundler leaves shared files as they are.
void startConsole(createConsoleRouter())
