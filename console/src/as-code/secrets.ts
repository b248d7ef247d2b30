/** A value of JSON, or a secret that is left out. */
export type Json =
  | null
  | boolean
  | number
  | string
  | { toJSON: () => string }
  | Json[]
  | { [key: string]: Json }

/** A secret that was left out. JSON shows it as `$PASSWORD`; Terraform has it as a variable. */
export class Secret {
  /** @param variable name in lower snake case, unique in its call. */
  constructor(readonly variable: string) {}

  toJSON(): string {
    return `$${this.variable.toUpperCase()}`
  }
}

/** Fields whose texts are secret, and what stands for them. */
const SECRET_FIELDS: Readonly<Record<string, string>> = {
  current_password: 'current_password',
  new_password: 'new_password',
  password: 'password',
  private_key: 'private_key',
  secret: 'secret',
  secrets: 'secret',
  token: 'token',
}

/** The field of a value inside of a secret field that says what kind it is, and is no secret itself. */
const isKindField = (name: string) => name === 'mode' || name === 'type'

/** A body with placeholders in place of its passwords, keys and tokens, whether they are filled in or not. */
export function withoutSecrets(body: Json): Json {
  const counts = new Map<string, number>()
  const placeholder = (name: string) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return new Secret(count === 1 ? name : `${name}_${count}`)
  }
  const convert = (value: Json, secret: string | undefined): Json => {
    if (Array.isArray(value)) return value.map((item) => convert(item, secret))
    if (typeof value === 'string') return secret ? placeholder(secret) : value
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        convert(item, isKindField(name) ? undefined : (secretName(name, value) ?? secret)),
      ]),
    )
  }
  return convert(body, undefined)
}

/** A `value` is a password beside that mode. The key of a certificate is its private key; other things called `key` are no secrets. A code is one unless it is that of ICMP. */
function secretName(name: string, parent: object): string | undefined {
  if (name === 'key') return 'cert' in parent ? 'private_key' : undefined
  if (name === 'code') return 'icmp_type' in parent ? undefined : 'code'
  if (name === 'value' && 'mode' in parent && parent.mode === 'password') return 'password'
  return SECRET_FIELDS[name]
}

/** Whether a value is an object of JSON. */
export const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Secret)
