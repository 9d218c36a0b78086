import { type ComponentType, lazy } from 'react'
import { connection } from './connection.ts'

const RELOADED_KEY = 'marketplace.reloaded'
/** Another one with every release. */
const release = (): string => document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? ''

/**
 * Code that is loaded when it is needed. While the service cannot be reached it waits: a reload would only bring the
 * browser's error page. When the service responds and the code is still missing, the page is older than the release: a
 * reload brings the new one. Where a reload has brought the same one, the failure has another reason and is shown as what
 * it is, however long the reload took.
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
    if (sessionStorage.getItem(RELOADED_KEY) === release())
      throw new Error('A part of the page is missing.', { cause: error })
    sessionStorage.setItem(RELOADED_KEY, release())
    location.reload()
    return new Promise(() => {})
  }
}

/** A component whose code waits for its first use. */
export function lazyPart<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => loadCode(load))
}
