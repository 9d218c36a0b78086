import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until this has the focus. */
export const hasFocus = (part: Locator) =>
  expect.poll(() => part.evaluate((element) => element === document.activeElement)).toBe(true)
