import init, { Croft } from 'croft-preview'
import moduleUrl from 'croft-preview/module.wasm?url'

import { Engine } from './engine'
import type { Question, Reply, Start } from './protocol'

// The control plane runs in this worker. The page sends each request with a port for the answer.

const engine = init({ module_or_path: fetch(moduleUrl) }).then(() => new Engine(new Croft()))

self.addEventListener('message', ({ ports: [port] }: MessageEvent) => {
  if (!port) return
  const send = (start: Start) => port.postMessage(start)
  const started = engine.then(
    (ready) => {
      send({ type: 'ready', people: ready.start() })
      return ready
    },
    (error: unknown) => {
      send({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
      throw error
    },
  )
  port.addEventListener('message', ({ data, ports: [own] }: MessageEvent<Question>) => {
    if (!own) return
    started.then(
      (ready) => ready.answer(data, own),
      () => refuse(own),
    )
  })
  port.start()
})

function refuse(port: MessagePort) {
  const reply: Reply = { type: 'failed', message: 'The preview could not start.' }
  port.postMessage(reply, [])
}
