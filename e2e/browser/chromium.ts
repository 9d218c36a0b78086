import { type Browser, chromium } from 'playwright-core'
import { findProgram } from '../../scripts/testing/machine.ts'

/** Undefined where no browser is installed. */
export const chromiumPath = findProgram('Chromium')

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
