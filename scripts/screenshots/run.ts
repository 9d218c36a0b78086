// `npm run screenshots` starts a sandbox with its demo data and takes every page of it in light and dark, on a desktop and on
// a phone, into .screenshots, which git ignores. With names (`npm run screenshots -- hire job`) it takes the pages with these
// words in their names, with `--readme` the few of the README, into docs/pictures, and with `--url` of a sandbox that runs.
import { parseArgs } from 'node:util'
import { chromiumPath, launchBrowser } from '../../e2e/browser/chromium.ts'
import { endServices, freePort, startService, temporaryDirectory } from '../../e2e/service/service-process.ts'
import { buildWeb } from '../building/build-web.mjs'
import { endOnSignals } from '../testing/end-on-signals.ts'
import { takeEveryPage } from './every-page.ts'
import { takeReadmePictures } from './readme-pictures.ts'

const { positionals: words, values } = parseArgs({
  allowPositionals: true,
  options: { readme: { type: 'boolean', default: false }, url: { type: 'string' } },
})

if (chromiumPath === undefined) throw new Error('Chromium is not installed here.')

const directory = temporaryDirectory()
const browser = await launchBrowser()
const end = async (): Promise<void> => {
  await browser.close()
  await endServices()
  directory.remove()
}
endOnSignals(end)
try {
  const url = values.url ?? (await startSandbox())
  if (values.readme) await takeReadmePictures(browser, url)
  else await takeEveryPage(browser, url, words)
} finally {
  await end()
}

async function startSandbox(): Promise<string> {
  const say = (line: string) => console.log(line)
  if (!(await buildWeb({ nodePath: process.execPath, env: process.env, say }))) {
    throw new Error('The web page could not be built.')
  }
  console.log('Starting a sandbox with demo data')
  const service = await startService({
    dataDir: `${directory.path}/data`,
    port: await freePort(),
    environment: { DEMO: 'on', RATE_LIMITS: 'off' },
  })
  return service.url
}
