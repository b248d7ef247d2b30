/** Names of the secret fields, by the `control` of their form. */
const secretFields = new WeakMap<object, Set<string>>()

/** Marks a field as secret for as long as its form exists: its value stays in the form when the field is taken away. */
export function markSecret(control: object, name: string): void {
  secretFields.set(control, new Set(secretFields.get(control)).add(name))
}

/** Whether a field of the form was marked as secret. */
export const isMarkedSecret = (control: object, name: string): boolean =>
  secretFields.get(control)?.has(name) ?? false
