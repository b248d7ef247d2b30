import { commaList } from '~/lib/text'

/** Texts of the screens for the API explorer. */

export const findLabel = 'Find an operation'
export const findPlaceholder = 'Find an operation'
export const noMatchHelp = 'No operation matches'
export const operationsLabel = 'Operations'
export const copyPathLabel = 'Copy path'
export const webSocketHelp = 'A WebSocket. Connect to it with a WebSocket client.'
export const eventStreamHelp =
  'A stream of server-sent events. It stays open until the client disconnects.'
export const bodyTitle = 'Body'
export const commandLineTitle = 'Command line'
export const commandLabel = 'Command'
export const noBodyHelp = 'No body.'
export const parametersTitle = 'Parameters'
export const copyCommandLabel = 'Copy command'
export const schemaAboveText = '(as above)'
export const requiredLabel = 'required'
export const nullableLabel = 'nullable'
export const oneOfLabel = 'One of'
export const tryItTitle = 'Try it'
export const sendRequestLabel = 'Send request'
export const ownSessionHelp = 'The request uses your session and permissions.'
export const copyResponseLabel = 'Copy response'
export const responseLabel = 'Response'
export const emptyResponseText = '(empty)'
export const apiExplorerTitle = 'API explorer'
export const allOperationsLabel = 'All operations'
export const unknownOperationTitle = 'No such operation'
export const selectOperationTitle = 'Select an operation'
export const selectOperationHelp =
  'The console uses this API for everything, and your own programs can use it too. See the parameters and responses of each operation, and try the read-only ones.'
export const operationCountText = (count: number) => `${count} operation${count === 1 ? '' : 's'}`
export const responseTitle = (status: string) => `Response ${status}`
export const parameterPlaceText = (place: string) => `in ${place}`
export const alternativeText = (number: number, count: number) => `option ${number} of ${count}`
export const minimumText = (minimum: number) => `at least ${minimum}`
export const maximumText = (maximum: number) => `at most ${maximum}`
export const minimumLengthText = (length: number) => `${length} characters or more`
export const maximumLengthText = (length: number) => `${length} characters or fewer`
export const defaultText = (value: string) => `default ${value}`
export const patternText = (pattern: string) => (
  <>
    matches <code>{pattern}</code>
  </>
)
export const missingParametersError = (names: readonly string[]) =>
  `Fill in ${commaList(names, 'and')} first`
export const requestIdText = (id: string) => (
  <>
    Request ID <code>{id}</code>
  </>
)
export const versionText = (version: string) => `Version ${version}`
export const extensionsLabel = 'Croft extensions'
export const otherOperationsLabel = 'other'
export const anyTypeText = 'any'
export const oneOfTypeText = 'one of'
export const arrayTypeText = (type: string) => `array of ${type}`
export const mapTypeText = (type: string) => `map of ${type}`
