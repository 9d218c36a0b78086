import { type ComponentType, lazy } from 'react'
import { connection } from './connection.ts'

const LAST_RELOAD_KEY = 'marketplace.reloaded-at'
const ONCE_PER_MS = 10_000

/**
 * Code that is loaded when it is needed. While the service cannot be reached it waits: a reload would only bring the
 * browser's error page. When the service responds and the code is still missing, the page is older than the release: a
 * reload brings the new one. A second failure right after that has another reason and is shown as what it is.
 */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load()
  } catch {
    await connection.untilUp()
  }
  try {
    return await load()
  } catch (error) {
    const lastMs = Number(sessionStorage.getItem(LAST_RELOAD_KEY) ?? 0)
    if (Date.now() - lastMs < ONCE_PER_MS) throw new Error('A part of the page is missing.', { cause: error })
    sessionStorage.setItem(LAST_RELOAD_KEY, String(Date.now()))
    location.reload()
    return new Promise(() => {})
  }
}

/** A component whose code waits for its first use. */
export function lazyPart<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => loadCode(load))
}
