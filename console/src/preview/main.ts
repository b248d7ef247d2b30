import { connect } from './connection'

// The worker fetches the control plane while the console's own files are still on their way.
const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
const connection = connect(worker)

void import('./start-preview').then(({ startPreview }) => startPreview(connection))
