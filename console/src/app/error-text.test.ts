import { notFound } from '@tanstack/react-router'
import { expect, it } from 'vitest'

import { ApiError, unreachable } from '~/api/errors'

import { errorText, isWorthRetrying } from './error-text'

const failed = (statusCode: number) =>
  errorText(new ApiError({ message: 'Action not authorized', statusCode, requestId: 'r' }))

it('knows what is missing', () => {
  expect(failed(404)).toEqual({ kind: 'not-found' })
  expect(errorText(notFound())).toEqual({ kind: 'not-found' })
  expect(isWorthRetrying(failed(404))).toBe(false)
})

it('says that something is not allowed, and what to do', () => {
  const text = failed(403)
  expect(text).toMatchObject({ kind: 'no-access', detail: 'Action not authorized', requestId: 'r' })
  expect(isWorthRetrying(text)).toBe(true)
})

it('says that the server cannot be reached', () => {
  expect(errorText(new ApiError(unreachable))).toEqual({
    kind: 'failed',
    detail: unreachable.message,
  })
})

it('keeps what the server says of its own failures to the request id', () => {
  expect(failed(503)).toMatchObject({ kind: 'failed', detail: undefined, requestId: 'r' })
  expect(errorText(new TypeError('x is undefined'))).toEqual({ kind: 'failed' })
  expect(isWorthRetrying(failed(503))).toBe(true)
})
