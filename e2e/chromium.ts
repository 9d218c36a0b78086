import { type Browser, chromium } from 'playwright-core'
import { findProgram } from '../scripts/machine.ts'

/** Undefined where no browser is installed. */
export const chromiumPath = findProgram('Chromium')

/** What Playwright turns off: a browser reads the last list that it is given, and ours is the last. */
const offForPlaywright = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** Pages of the browser's own for suggestions below its address bar, loaded with every new window: 2 of its 5 processor seconds. */
const addressBarPages = ['WebUIOmniboxAimPopup', 'WebUIOmniboxPopup']

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
      `--disable-features=${[...offForPlaywright, ...addressBarPages].join()}`,
    ],
  })
}
