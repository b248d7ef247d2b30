import { isUuid } from '~/lib/uuid'

import { Expression, hclBlock, hclLabel } from './hcl'
import type { HclObject } from './hcl'
import { Secret } from './secrets'
import type { Json } from './secrets'

/** The names of what contains something. */
export interface Place {
  project_name?: string
  vpc_name?: string
}

/** A resource, named for what it describes. */
interface Resource {
  type: string
  name: string
  /** Where it is, so that others find it by its name. */
  place?: Place
  values: HclObject
  comment?: string
}

/** A file of Terraform in the making: variables for secrets, look-ups of what exists, and resources. */
export class TerraformFile {
  readonly #variables = new Set<string>()
  /** The blocks of what has been made or looked up, such as `data.oxide_project.web`, by type, name and place. */
  readonly #known = new Map<string, string>()
  readonly #addresses = new Set<string>()
  readonly #data: string[] = []
  readonly #resources: string[] = []

  /** Adds a resource and gives its address, such as `oxide_project.web`. */
  resource({ type, name, place = {}, values, comment }: Resource): string {
    const label = this.#label(type, name || 'this')
    this.#declare(values)
    const block = hclBlock('resource', [type, label], values)
    this.#resources.push(comment ? `# ${comment}\n${block}` : block)
    const address = `${type}.${label}`
    this.#known.set(keyOf(type, name, place), address)
    return address
  }

  /** The id of something: an id as it is, a name through the resource in this file or a data source. `null` if there is neither. */
  idOf(type: string, nameOrId: Json | undefined, place: Place = {}): Expression | string | null {
    if (typeof nameOrId !== 'string') return null
    if (isUuid(nameOrId)) return nameOrId
    return new Expression(`${this.#addressOf(type, nameOrId, place)}.id`)
  }

  /** Takes over what exists as the resource with this address. */
  import(address: string, id: string): void {
    this.#resources.push(hclBlock('import', [], { to: new Expression(address), id }))
  }

  /** The whole file; empty if nothing is in it. */
  toString(): string {
    const variables = [...this.#variables].map((name) =>
      hclBlock('variable', [name], { type: new Expression('string'), sensitive: true }),
    )
    return [...variables, ...this.#data, ...this.#resources].join('\n\n')
  }

  #addressOf(type: string, name: string, place: Place): string {
    const key = keyOf(type, name, place)
    const known = this.#known.get(key)
    if (known) return known
    const label = this.#label(`data.${type}`, name || 'this')
    const address = `data.${type}.${label}`
    this.#known.set(key, address)
    const { project_name: project, vpc_name: vpc } = place
    const around = [
      this.#resourceOf('oxide_project', project, {}),
      this.#resourceOf('oxide_vpc', vpc, { project_name: project }),
    ].filter((each) => each !== undefined)
    this.#data.push(
      hclBlock('data', [type, label], {
        name,
        ...place,
        // Terraform has to make what contains it before it looks it up.
        depends_on: around.length > 0 ? around : null,
      }),
    )
    return address
  }

  /** The resource in this file that has a name, if there is one. */
  #resourceOf(type: string, name: string | undefined, place: Place): Expression | undefined {
    const known = name === undefined ? undefined : this.#known.get(keyOf(type, name, place))
    return known?.startsWith(`${type}.`) ? new Expression(known) : undefined
  }

  /** A name that no other block of its type has. */
  #label(type: string, name: string): string {
    const label = hclLabel(name)
    let free = label
    for (let number = 2; this.#addresses.has(`${type}.${free}`); number += 1) {
      free = `${label}_${number}`
    }
    this.#addresses.add(`${type}.${free}`)
    return free
  }

  /** Declares the variables of the secrets in a value. */
  #declare(value: unknown): void {
    if (value instanceof Secret) this.#variables.add(value.variable)
    else if (typeof value === 'object' && value !== null) {
      for (const item of Object.values(value)) this.#declare(item)
    }
  }
}

const keyOf = (type: string, name: string, { project_name: project, vpc_name: vpc }: Place) =>
  JSON.stringify([type, name, project, vpc])
