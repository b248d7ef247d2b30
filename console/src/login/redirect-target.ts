/** Where a person goes after signing in when nothing else was asked for. */
const home = '/projects'

/**
 * The path that `redirect_uri` asks for, if it stays on this origin and does not lead back to the login screens; otherwise the projects.
 */
export function redirectTarget(search: string, origin: string): string {
  const requested = new URLSearchParams(search).get('redirect_uri')?.trim() ?? ''
  if (!requested.startsWith('/')) return home
  let url: URL
  try {
    url = new URL(requested, origin)
  } catch {
    return home
  }
  const leavesOrigin = url.origin !== origin
  const isLogin = url.pathname === '/login' || url.pathname.startsWith('/login/')
  return leavesOrigin || isLogin ? home : url.pathname + url.search + url.hash
}

/** Keeps a `redirect_uri` on the way from one login screen to the next. */
export function keepRedirect(path: string, search: string): string {
  const requested = new URLSearchParams(search).get('redirect_uri')?.trim()
  return requested ? `${path}?redirect_uri=${encodeURIComponent(requested)}` : path
}

/** Like {@link keepRedirect}, with the target's slashes as they are: people read this address before they follow it. */
export const readableRedirect = (path: string, search: string): string =>
  keepRedirect(path, search).replaceAll('%2F', '/')
