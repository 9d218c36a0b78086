import { type SampleCall, urlOf } from '@agent-marketplace/contract'

/** With what a call is made: nothing, the session of this browser, or a key that was typed in. */
export type Credential =
  | { kind: 'none' }
  | { kind: 'session'; csrfToken: string }
  | { kind: 'key'; key: string }

export interface CallResult {
  status: number
  requestId: string | null
  /** As it is shown: JSON with line breaks, other text as it came. */
  text: string
}

const MAX_SHOWN = 20_000

/** Makes the call on this site. A key goes without the cookie, so that the call acts for the key alone. */
export async function sendCall(
  call: SampleCall,
  headers: Readonly<Record<string, string>>,
  credential: Credential,
  fetch: typeof globalThis.fetch,
): Promise<CallResult> {
  const { method, body } = call
  const isFile = typeof body === 'string'
  const response = await fetch(urlOf({ ...call, origin: '' }), {
    method,
    credentials: credential.kind === 'session' ? 'same-origin' : 'omit',
    headers: {
      ...(body === undefined
        ? {}
        : { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
      ...(credential.kind === 'key' && { authorization: `Bearer ${credential.key}` }),
      ...(credential.kind === 'session' && method !== 'GET' && { 'x-csrf-token': credential.csrfToken }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
  })
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    text: shorten(pretty(await response.text())),
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const shorten = (text: string): string =>
  text.length <= MAX_SHOWN
    ? text
    : `${text.slice(0, MAX_SHOWN)}\n… ${text.length - MAX_SHOWN} characters more`
