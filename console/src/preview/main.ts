import { connectHome } from './home'

// The worker fetches the control plane while the console's own files are still on their way.
const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
const home = connectHome(worker)

const { startPreview } = await import('./start-preview')
await startPreview(home)
