/** Most network interfaces of one instance. */
const INTERFACES_MAX = 8

/** Why an instance can have no further network interface; `undefined` when it can. */
export function interfaceLimitRefusal(count: number): string | undefined {
  return count >= INTERFACES_MAX
    ? `An instance can have at most ${INTERFACES_MAX} network interfaces`
    : undefined
}
