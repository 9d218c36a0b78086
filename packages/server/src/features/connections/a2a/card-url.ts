import { AGENT_CARD_PATH } from '@a2a-js/sdk'

/** The URL of the card itself, or the base URL that it is served from. */
export function cardUrlOf(given: string): string {
  const url = new URL(given)
  if (!url.pathname.endsWith('.json'))
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/${AGENT_CARD_PATH.replace(/^\/+/, '')}`
  return url.href
}
