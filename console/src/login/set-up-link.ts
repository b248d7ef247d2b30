/** What a set-up link fills in. */
interface FilledIn {
  username: string
  password: string
}

/** Reads what stands behind the `#` of a set-up link, which the first start of a server writes; nothing elsewhere. */
export function readSetUpLink(hash: string): FilledIn | undefined {
  const parts = new URLSearchParams(hash.replace(/^#/, ''))
  const [username, password] = [parts.get('user'), parts.get('password')]
  return username && password ? { username, password } : undefined
}
