import { describe, expect, it } from 'vitest'

import { processError, withoutLabel } from './errors'

const failure = (errorCode: string | undefined, message: string, statusCode = 400) =>
  ({ type: 'error', statusCode, data: { errorCode, message, requestId: 'r-1' } }) as const

describe('processError', () => {
  it('says that an unreadable answer could not be read, and keeps the status', () => {
    const unreadable = {
      type: 'client_error',
      statusCode: 502,
      requestId: 'r-2',
      error: new SyntaxError('bad'),
      text: '<html>',
    } as const
    expect(processError('diskList', unreadable)).toEqual({
      message: 'Error reading API response',
      statusCode: 502,
      requestId: 'r-2',
    })
  })

  it('carries code, status and request id', () => {
    expect(processError('diskList', failure('Forbidden', 'Forbidden', 403))).toEqual({
      message: 'Action not authorized',
      errorCode: 'Forbidden',
      statusCode: 403,
      requestId: 'r-1',
    })
  })

  it.each([
    ['ObjectNotFound', 'not found: project "web"', 'Not found: project "web"'],
    ['ObjectAlreadyExists', 'already exists: instance "db"', 'Instance name already exists'],
    ['ObjectAlreadyExists', 'already exists: vpc subnet "a"', 'Vpc subnet name already exists'],
    ['ObjectAlreadyExists', 'already exists: ssh-key "a"', 'SSH key name already exists'],
    ['ObjectAlreadyExists', 'already exists: project-image "a"', 'Image name already exists'],
    [
      'InvalidRequest',
      'unable to parse JSON body: missing field `name` at line 1 column 2',
      'Missing field `name`',
    ],
    ['InvalidRequest', 'disk is attached', 'Disk is attached'],
    [undefined, '', 'Unknown server error'],
  ])('%s: %s', (code, message, expected) => {
    expect(processError('diskView', failure(code, message)).message).toBe(expected)
  })

  it.each([
    ['projectCreate', 'Project name already exists'],
    ['currentUserSshKeyCreate', 'Key name already exists'],
    ['disksCreate', 'Disk name already exists'],
    ['projectUpdate', 'Taken'],
  ])(
    'takes the object of an existing name from %s when the message does not name it',
    (operation, expected) => {
      expect(processError(operation, failure('ObjectAlreadyExists', 'taken')).message).toBe(
        expected,
      )
    },
  )

  it('uses the request id of the header when the body has none', () => {
    const empty = { type: 'error', statusCode: 500, requestId: 'h-1', data: {} } as const
    expect(processError('diskList', empty)).toEqual({
      message: 'Unknown server error',
      errorCode: undefined,
      statusCode: 500,
      requestId: 'h-1',
    })
  })
})

describe('withoutLabel', () => {
  it('leaves what is said of the value', () => {
    expect(withoutLabel('Unsupported value for "code": this is not the code')).toBe(
      'This is not the code',
    )
    expect(withoutLabel('Something else')).toBe('Something else')
  })
})
