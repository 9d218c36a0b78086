import { type ComponentType, lazy } from 'react'
import { connection } from './connection.ts'

/** No reload brings it. */
export class MissingPart extends Error {}

interface LoadCodeDeps {
  untilUp: () => Promise<void>
  /** Another one with every release. */
  release: () => string
  /** Of this tab, and still there after a reload. */
  marks: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  reload: () => void
}

export type LoadCode = <Code>(load: () => Promise<Code>) => Promise<Code>

/**
 * Code that is loaded when it is needed. While the service cannot be reached it waits: a reload would only bring the
 * browser's error page. When the service responds and the code is still missing, the page is older than the release: a
 * reload brings the new one. Where a reload for the same part has brought the same page, the failure has another reason and
 * is shown as what it is, however long the reload took; once the part has loaded that is forgotten.
 */
export function createLoadCode({ untilUp, release, marks, reload }: LoadCodeDeps): LoadCode {
  return async (load) => {
    // Its source names the part's file.
    const mark = `marketplace.reloaded ${load}`
    const attempt = async () => {
      const code = await load()
      marks().removeItem(mark)
      return code
    }
    try {
      return await attempt()
    } catch {
      await untilUp()
    }
    try {
      return await attempt()
    } catch (error) {
      if (marks().getItem(mark) === release())
        throw new MissingPart('A part of the page is missing.', { cause: error })
      marks().setItem(mark, release())
      reload()
      return new Promise(() => {})
    }
  }
}

export const loadCode = createLoadCode({
  untilUp: connection.untilUp,
  release: () => document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '',
  marks: () => sessionStorage,
  reload: () => location.reload(),
})

/** A component whose code waits for its first use. */
export function lazyPart<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => loadCode(load))
}
