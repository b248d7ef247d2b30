import { capitalise } from '~/lib/text'
import * as messages from '~/messages/errors'

import type { ApiResult } from './client'
import type { AnyInput, Endpoint } from './operation'
import { snakeCase } from './wire'

/** A failed call in words for a person. */
export interface ProcessedError {
  message: string
  /** The API's error code, for example `ObjectNotFound`. */
  errorCode?: string
  /** HTTP status; absent when no answer came. */
  statusCode?: number
  requestId?: string
}

/** What was asked for in vain. */
export interface FailedCall {
  operation: Endpoint
  input: AnyInput
  answer: Failure
}

/** What every failed call rejects with. */
export class ApiError extends Error implements ProcessedError {
  readonly errorCode?: string
  readonly statusCode?: number
  readonly requestId?: string

  constructor(
    { message, errorCode, statusCode, requestId }: ProcessedError,
    readonly failed?: FailedCall,
  ) {
    super(message)
    this.name = 'ApiError'
    this.errorCode = errorCode
    this.statusCode = statusCode
    this.requestId = requestId
  }
}

type Failure = Exclude<ApiResult<never>, { type: 'success' }>

/** Turns a failed result into words, in the order of `docs/rules/console/shell-and-account.md#error-messages`. */
export function processError(operationName: string, failure: Failure): ProcessedError {
  const { statusCode } = failure
  if (failure.type === 'client_error') {
    return { message: messages.unreadableError, statusCode, requestId: failure.requestId }
  }
  const { errorCode, message = '', requestId = failure.requestId } = failure.data
  return {
    message: errorMessage(operationName, errorCode, message),
    errorCode,
    statusCode,
    requestId,
  }
}

function errorMessage(operationName: string, errorCode: string | undefined, message: string) {
  if (errorCode === 'Forbidden') return messages.notAuthorizedError
  if (errorCode === 'ObjectNotFound' && message) return capitalise(message)
  if (errorCode === 'ObjectAlreadyExists') {
    const object = existingObject(operationName, message)
    if (object) {
      return messages.nameTakenError[object] ?? messages.otherNameTakenError(capitalise(object))
    }
  }
  const parseFailure = /^unable to parse JSON body: (.+) at line \d+ column \d+$/.exec(message)
  return capitalise(parseFailure?.[1] ?? message) || messages.unknownServerError
}

/** `project` from `already exists: project "web"`, else from `projectCreate`. */
function existingObject(operationName: string, message: string) {
  const named = /^already exists: ([^"]+?) *"/.exec(message)?.[1]
  if (named) return named
  const words = snakeCase(operationName).split('_')
  return words[words.indexOf('create') - 1]?.replace(/s$/, '')
}

/** The server's message without the API's name of the field, for forms with only one field that it can be about. */
export const withoutLabel = (message: string): string =>
  capitalise(message.replace(/^unsupported value for "\w+": /i, ''))

/** The failure when the request never got an answer. */
export const unreachable: ProcessedError = {
  message: messages.unreachableError,
}
