import type { Browser, CDPSession, Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser/chromium.ts'
import { freePort, startService, temporaryDirectory } from '../e2e/service/service-process.ts'
import { untilPainted, untilSettled } from '../e2e/web/checks/inspection.ts'
import { measureScripts } from '../e2e/web/checks/page-load.ts'
import { buildWeb } from '../scripts/building/build-web.mjs'
import { median } from './measuring/measure.ts'
import { atMost, type Row } from './measuring/rows.ts'

const VISITS = 7
const LCP_GOAL_SECONDS = 1
const SLOW_LCP_GOAL_SECONDS = 2
const SCRIPT_GOAL_KB = 150
const SHIFT_GOAL = 0.01

/** A phone on a weak connection: 1.6 Mbit/s, and 150 ms to the service and back. */
const slowNetwork = {
  offline: false,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
  latency: 150,
}

interface Visit {
  firstPaintMs: number
  /** When the largest part of what is in sight stood. */
  largestPaintMs: number
  shift: number
  /** What the page's own work kept the browser from reacting, beyond 50 ms at a time. */
  blockedMs: number
}

/**
 * P11: what somebody sees who opens the first page for the first time, with the demo data: nothing is in the browser's
 * cache. On this machine, and on a weak connection to it.
 */
export async function benchPage(): Promise<Row[]> {
  const say = (line: string) => process.stderr.write(`${line}\n`)
  if (!(await buildWeb({ nodePath: process.execPath, env: process.env, say }))) {
    throw new Error('the web page could not be built')
  }
  const directory = temporaryDirectory()
  const browser = await launchBrowser()
  const service = await startService({
    dataDir: `${directory.path}/data`,
    port: await freePort(),
    environment: { DEMO: 'on', RATE_LIMITS: 'off' },
  })
  try {
    await visit(browser, service.url)
    const here = await visits(browser, service.url)
    const afar = await visits(browser, service.url, slowNetwork)
    const page = await browser.newPage()
    const scriptKb = (await measureScripts(page, `${service.url}/`)) / 1_000
    return [
      paintRow('largest contentful paint of / on this machine, seconds', here, LCP_GOAL_SECONDS),
      paintRow('the same at 1.6 Mbit/s with 150 ms, seconds', afar, SLOW_LCP_GOAL_SECONDS),
      atMost('P11', 'JavaScript of the first load, gzipped, kB', scriptKb, SCRIPT_GOAL_KB, 'until / stands'),
      shiftRow([...here, ...afar]),
    ]
  } finally {
    await browser.close()
    await service.end('SIGTERM')
    directory.remove()
  }
}

function paintRow(what: string, measured: readonly Visit[], goal: number): Row {
  const seconds = (of: keyof Visit) => measured.map((one) => one[of] / 1_000).toSorted((a, b) => a - b)
  const all = (of: keyof Visit) =>
    seconds(of)
      .map((value) => value.toFixed(2))
      .join(', ')
  return atMost(
    'P11',
    what,
    median(seconds('largestPaintMs')),
    goal,
    `${all('largestPaintMs')}; first paint ${median(seconds('firstPaintMs')).toFixed(2)}, blocked ${median(seconds('blockedMs')).toFixed(2)}`,
  )
}

function shiftRow(measured: readonly Visit[]): Row {
  const worst = Math.max(...measured.map(({ shift }) => shift))
  return atMost('P11', 'layout shift while / loads', worst, SHIFT_GOAL, `the worst of ${measured.length}`)
}

async function visits(browser: Browser, url: string, network?: typeof slowNetwork): Promise<Visit[]> {
  const made: Visit[] = []
  while (made.length < VISITS) made.push(await visit(browser, url, network))
  return made
}

/** Somebody new: a context of their own has no cache. */
async function visit(browser: Browser, url: string, network?: typeof slowNetwork): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  if (network) await throttle(await context.newCDPSession(page), network)
  await watchPaints(page)
  await page.goto(`${url}/`)
  await untilSettled(page)
  await untilPainted(page)
  const measured = await page.evaluate(() => (window as unknown as Watched).readVisit())
  await context.close()
  return measured
}

async function throttle(session: CDPSession, network: typeof slowNetwork): Promise<void> {
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', network)
}

interface Watched {
  readVisit(): Visit
}

/** From before the first byte on: the browser itself says what it painted and when. */
async function watchPaints(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const measured = { firstPaintMs: 0, largestPaintMs: 0, shift: 0, blockedMs: 0 }
    const watch = (type: string, add: (entry: PerformanceEntry & { value?: number }) => void) => {
      const observer = new PerformanceObserver((list) => list.getEntries().forEach(add))
      observer.observe({ type, buffered: true })
      return () => observer.takeRecords().forEach(add)
    }
    const finish = [
      watch('paint', ({ name, startTime }) => {
        if (name === 'first-contentful-paint') measured.firstPaintMs = startTime
      }),
      watch('largest-contentful-paint', ({ startTime }) => (measured.largestPaintMs = startTime)),
      watch('layout-shift', ({ value = 0 }) => (measured.shift += value)),
      watch('longtask', ({ duration }) => (measured.blockedMs += duration - 50)),
    ]
    const readVisit = () => {
      for (const take of finish) take()
      return measured
    }
    Object.assign(window, { readVisit })
  })
}
