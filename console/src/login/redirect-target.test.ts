import { describe, expect, it } from 'vitest'

import { keepRedirect, redirectTarget } from './redirect-target'

const target = (uri: string) =>
  redirectTarget(`?redirect_uri=${encodeURIComponent(uri)}`, 'https://cloud.example')

describe('redirectTarget', () => {
  it.each(['/projects/web/instances?pageToken=a', '/explorer#disk_list'])('accepts %s', (uri) => {
    expect(target(uri)).toBe(uri)
  })

  it.each([
    ['another origin', 'https://evil.example/a'],
    ['an address without scheme', '//evil.example/a'],
    ['a backslash', '/\\evil.example/a'],
    ['a tab inside the slashes', '/\t/evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a relative path', 'projects'],
    ['something that is no address', '//['],
    ['the login screen itself', '/login/main/local'],
    ['nothing', ''],
  ])('goes to the projects instead of %s', (_, uri) => {
    expect(target(uri)).toBe('/projects')
  })
})

describe('keepRedirect', () => {
  it('carries the target on', () => {
    expect(keepRedirect('/login/main/local', '?redirect_uri=%2Fprojects%3Fa%3D1')).toBe(
      '/login/main/local?redirect_uri=%2Fprojects%3Fa%3D1',
    )
  })

  it('adds nothing when there is none', () => {
    expect(keepRedirect('/login', '?redirect_uri=%20')).toBe('/login')
    expect(keepRedirect('/login', '')).toBe('/login')
  })
})
