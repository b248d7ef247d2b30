import { call } from '~/api/call'
import {
  projectIpPoolView,
  siloView,
  vpcSubnetView,
  vpcView,
  vpcRouterView,
} from '~/api/generated/operations'

/** Names of what other things have the ids of. Each is asked for once. */
export class Names {
  readonly #known = new Map<string, Promise<string>>()

  readonly vpc = (id: string) => this.#once(id, () => call(vpcView, { path: { vpc: id } }))

  readonly subnet = (id: string) =>
    this.#once(id, () => call(vpcSubnetView, { path: { subnet: id } }))

  readonly router = (id: string) =>
    this.#once(id, () => call(vpcRouterView, { path: { router: id } }))

  readonly pool = (id: string) =>
    this.#once(id, () => call(projectIpPoolView, { path: { pool: id } }))

  readonly silo = (id: string) => this.#once(id, () => call(siloView, { path: { silo: id } }))

  #once(id: string, read: () => Promise<{ name: string }>): Promise<string> {
    const known = this.#known.get(id) ?? read().then(({ name }) => name)
    this.#known.set(id, known)
    return known
  }
}
