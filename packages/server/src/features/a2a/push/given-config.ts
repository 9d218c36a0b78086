import { A2A_CONTENT_TYPE, type TaskPushNotificationConfig } from '@a2a-js/sdk'
import { RequestMalformedError } from '@a2a-js/sdk/errors'
import { LEGACY_VERSION } from '../cards.ts'

const MAX_URL_LENGTH = 2_048
const MAX_TOKEN_LENGTH = 500
const MAX_CREDENTIALS_LENGTH = 4_000

export interface GivenConfig {
  name: string
  url: string
  scheme: string
  /** By which the receiver knows this service. */
  headers: Record<string, string>
}

/** What a caller wants, as headers. A task has one configuration that is named like the task where the caller names none. */
export function readConfig(
  { id, url, token, authentication }: TaskPushNotificationConfig,
  { taskId, wireVersion }: { taskId: string; wireVersion: string },
): GivenConfig {
  const name = id === '' ? taskId : id
  if (!/^[\w.:-]{0,100}$/.test(name))
    throw new RequestMalformedError(
      'The id of a configuration has 1 to 100 letters, digits, or any of _ . : -',
    )
  if (url === '' || url.length > MAX_URL_LENGTH)
    throw new RequestMalformedError(`url must have 1 to ${MAX_URL_LENGTH} characters`)
  const { scheme = '', credentials = '' } = authentication ?? {}
  checkHeader('token', token, MAX_TOKEN_LENGTH)
  checkHeader('authentication.credentials', credentials, MAX_CREDENTIALS_LENGTH)
  if (scheme !== '' && !/^[A-Za-z][\w.+-]{0,49}$/.test(scheme))
    throw new RequestMalformedError('authentication.scheme must be the name of a scheme, such as Bearer')
  if (scheme === '' && credentials !== '')
    throw new RequestMalformedError('authentication.scheme is required where there are credentials')
  return {
    name,
    url,
    scheme,
    headers: {
      'content-type': wireVersion === LEGACY_VERSION ? 'application/json' : A2A_CONTENT_TYPE,
      ...(token !== '' && { 'x-a2a-notification-token': token }),
      ...(credentials !== '' && { authorization: `${scheme} ${credentials}` }),
    },
  }
}

function checkHeader(name: string, value: string, maxLength: number): void {
  if (value.length > maxLength) throw new RequestMalformedError(`${name} has ${maxLength} characters at most`)
  if (value !== '' && !/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value))
    throw new RequestMalformedError(`${name} must be printable ASCII, without spaces at its ends`)
}
