import type { Page, Request, Route } from 'playwright-core'
import { isSettled, untilPainted } from './inspection.ts'

/** Chooses, of everything that is held, what arrives next. */
export type Order = (held: readonly Arrival[]) => readonly Arrival[]

export interface Arrival {
  /** What was requested: `GET /api/jobs`. */
  name: string
  isScript: boolean
  release(): Promise<void>
}

/** As it was requested. */
export const inOrder: Order = (held) => withItsKind(held, held[0])
/** What was requested last comes first. */
export const backwards: Order = (held) => withItsKind(held, held.at(-1))
/** Everything else is there before it. */
export const lastComes =
  (name: string): Order =>
  (held) => {
    const others = held.filter((arrival) => arrival.name !== name)
    return others.length > 0 ? inOrder(others) : held
  }

/** Scripts that are requested together make one part of the page, which is not there before the last of them. */
function withItsKind(held: readonly Arrival[], first: Arrival | undefined): readonly Arrival[] {
  if (!first) return []
  return first.isScript ? held.filter(({ isScript }) => isScript) : [first]
}

export interface Shift {
  value: number
  /** What had arrived right before. */
  after: string
  /** What moved, from where to where. */
  moved: string[]
}

/** The browser's own measure of how much of the screen moved, and how far. */
const SHIFT_BUDGET = 0.01

/** What is wrong with a load that moved by more than can be overlooked. */
export function describeShifts(shifts: readonly Shift[]): string[] {
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  if (sum < SHIFT_BUDGET) return []
  const moves = shifts.map(({ value, after, moved }) => `${value} after ${after}: ${moved.join('; ')}`)
  return [`moves by ${sum} while it loads: ${moves.join(' | ')}`]
}

export interface Load {
  /** The names of what arrived, in their order. */
  arrivals: string[]
  /** Every move of something that was already in sight. */
  shifts: Shift[]
}

export interface HeldPage {
  /**
   * Opens a page whose scripts and responses arrive one by one, each only when what came before has been painted. So
   * every state between the first and the last is seen, however fast the machine or the service is.
   */
  load(url: string, order?: Order): Promise<Load>
}

/** Takes a page's traffic into its hands. Between two loads everything passes. */
export async function holdArrivals(page: Page): Promise<HeldPage> {
  const held: Arrival[] = []
  let isHolding = false
  await page.route('**/*', (route) => {
    const request = route.request()
    if (!isHolding || isNeverHeld(request)) return route.continue()
    held.push(arrivalOf(route))
  })

  return {
    async load(url, order = inOrder) {
      const arrivals: string[] = []
      const shifts: Shift[] = []
      isHolding = true
      await page.goto(url, { waitUntil: 'commit' })
      await watchShifts(page)
      for (let isOver = false; !isOver; ) {
        await untilStill(page, held)
        shifts.push(...(await readShifts(page, arrivals.at(-1) ?? 'the document')))
        const next = [...order(held)]
        for (const arrival of next) held.splice(held.indexOf(arrival), 1)
        await Promise.all(next.map((arrival) => arrival.release()))
        arrivals.push(...next.map(({ name }) => name))
        if (next.length === 0) isOver = await isSettled(page)
      }
      isHolding = false
      for (const late of held.splice(0)) await late.release()
      return { arrivals, shifts }
    },
  }
}

/** Nothing is painted before the document, its style, its fonts and its theme are there; a stream never ends. */
function isNeverHeld(request: Request): boolean {
  return (
    ['document', 'stylesheet', 'font'].includes(request.resourceType()) ||
    /\/(theme\.js|favicon\.svg|stream)$/.test(request.url())
  )
}

function arrivalOf(route: Route): Arrival {
  const request = route.request()
  return {
    name: nameOf(request),
    isScript: request.resourceType() === 'script',
    async release() {
      // The page may have changed its mind about it in the meantime.
      await route.continue().catch(() => {})
      const response = await request.response()
      await response?.finished()
    },
  }
}

function nameOf(request: Request): string {
  const { pathname, search } = new URL(request.url())
  const method = /"method":"(\w+)"/.exec(request.postData() ?? '')?.[1]
  return `${request.method()} ${pathname}${search}${method ? ` ${method}` : ''}`
}

/** Everything that has arrived is painted, and nothing more is requested because of it. */
async function untilStill(page: Page, held: readonly Arrival[]): Promise<void> {
  for (let before = -1; before !== held.length; ) {
    before = held.length
    await untilPainted(page)
  }
}

type ShiftEntry = PerformanceEntry & {
  value: number
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

interface ShiftWatch {
  readShifts(): ShiftEntry[]
}

async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: ShiftEntry[] = []
    const keep = (entries: PerformanceEntry[]) => seen.push(...(entries as ShiftEntry[]))
    const observer = new PerformanceObserver((list) => keep(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    const readShifts = () => {
      keep(observer.takeRecords())
      return seen.splice(0)
    }
    Object.assign(window, { readShifts })
  })
}

const readShifts = (page: Page, after: string): Promise<Shift[]> =>
  page.evaluate((arrived) => {
    const place = ({ x, y, width, height }: DOMRectReadOnly) =>
      `${[x, y].map(Math.round)} ${[width, height].map(Math.round).join('×')}`
    return (window as unknown as ShiftWatch).readShifts().map(({ value, sources }) => ({
      value,
      after: arrived,
      moved: sources.map(({ node, previousRect, currentRect }) => {
        const element = node instanceof Element ? node : node?.parentElement
        const words = node?.textContent?.slice(0, 40)
        return `<${element?.tagName.toLowerCase()}> “${words}” ${place(previousRect)} → ${place(currentRect)}`
      }),
    }))
  }, after)
