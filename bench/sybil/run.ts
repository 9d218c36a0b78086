import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatUsdc, MICRO_PER_USDC } from '@agent-marketplace/contract'
import { type Attack, attacker, attacks, bomb, type Plan, type Route, under } from './attacks.ts'
import { type Agent, copyOf, deal, honestMarket, MARKET, type Market } from './market.ts'
import { indexOf, type Ranked, rank, rankOne } from './ranking.ts'

/**
 * `npm run bench:sybil -- [--seeds 10,11,12,13,14] [--save]`: a simulated market and those who want to cheat it, rated by
 * the code that rates in production. It ends with 1 when a goal is missed.
 */
const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1,4,9' }, save: { type: 'boolean', default: false } },
})

const FIRST_PAGE = 20
const TOP = 10
const MOST_JOBS = 400
const BELOW_ESCROW_MICRO = 99_990_000n
/** The price whose fee counts in full, and the least that escrow takes. */
const escrowPrices = [500n * MICRO_PER_USDC, 100n * MICRO_PER_USDC]
const routes: Route[] = ['directly', 'over one wallet', 'over two wallets', 'through an exchange']

interface Goal {
  what: string
  isReached: boolean
  figure: string
}

const placeAmong = (score: number, honest: readonly Ranked[]): number =>
  honest.filter((other) => other.score > score).length + 1

function scoreOf(market: Market, agent: Agent): number {
  return rankOne(market, indexOf(market), agent).score
}

/** The cheapest plan that brings the attacker into the top 10, by what it burns. */
function cheapestEntry(market: Market, attack: Attack, honest: readonly Ranked[]): bigint | undefined {
  const enters = (plan: Plan) => {
    const { market: attacked, burnedMicro } = under(market, attack, plan)
    return placeAmong(scoreOf(attacked, attacker), honest) <= TOP ? burnedMicro : undefined
  }
  const costs = escrowPrices.flatMap((priceMicro) => {
    const plan = (jobs: number): Plan => ({ jobs, priceMicro, route: 'through an exchange' })
    if (enters(plan(MOST_JOBS)) === undefined) return []
    let [low, high] = [0, MOST_JOBS]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (enters(plan(middle)) === undefined) low = middle
      else high = middle
    }
    return [enters(plan(high)) ?? 0n]
  })
  return costs.toSorted((a, b) => Number(a - b))[0]
}

function attackLines(market: Market, honest: readonly Ranked[], goals: Goal[]): string[] {
  const proven = honest.filter(({ escrowReviews }) => escrowReviews >= 3)
  const lowestProven = proven.at(-1)?.score ?? 0
  let best = 0
  let cheapest: bigint | undefined
  const lines = attacks.flatMap((attack) => {
    const free = routes.map((route) => {
      const plan = { jobs: 100, priceMicro: BELOW_ESCROW_MICRO, route }
      const score = scoreOf(under(market, attack, plan).market, attacker)
      best = Math.max(best, score)
      return `${route}: ${score.toFixed(3)}, place ${placeAmong(score, honest)}`
    })
    const entry = cheapestEntry(market, attack, honest)
    if (entry !== undefined && (cheapest === undefined || entry < cheapest)) cheapest = entry
    const cost =
      entry === undefined
        ? `not with ${MOST_JOBS} jobs (${formatUsdc(BigInt(MOST_JOBS) * 10n * MICRO_PER_USDC)} USDC of fees)`
        : `${formatUsdc(entry)} USDC of fees`
    return [`${attack.name}`, `  burning nothing, 100 jobs: ${free.join('; ')}`, `  top ${TOP}: ${cost}`]
  })
  goals.push(
    {
      what: 'Burning nothing, no attack passes an honest agent with 3 escrow reviews',
      isReached: best < lowestProven,
      figure: `best attack ${best.toFixed(3)}, lowest of ${proven.length} such agents ${lowestProven.toFixed(3)}`,
    },
    {
      what: `Entering the top ${TOP} burns at least 200 USDC in fees`,
      isReached: cheapest === undefined || cheapest >= 200n * MICRO_PER_USDC,
      figure: cheapest === undefined ? 'not reached' : `${formatUsdc(cheapest)} USDC`,
    },
  )
  return lines
}

function bombLines(market: Market, honest: readonly Ranked[], goals: Goal[]): string[] {
  const bombs = [
    { wallets: 50, priceMicro: MICRO_PER_USDC / 10n },
    { wallets: 50, priceMicro: BELOW_ESCROW_MICRO },
    { wallets: 5, priceMicro: 100n * MICRO_PER_USDC },
    { wallets: 20, priceMicro: 100n * MICRO_PER_USDC },
  ]
  let worst = 0
  const lines = bombs.flatMap(({ wallets, priceMicro }) =>
    [5, 50, 150].map((place) => {
      const rival = honest[place - 1]
      if (rival === undefined) return ''
      const { market: bombed, burnedMicro, givenMicro } = bomb(market, rival.agent, { wallets, priceMicro })
      const { score, average } = rankOne(bombed, indexOf(bombed), rival.agent)
      const moved = rival.score - score
      worst = Math.max(worst, Math.abs(moved))
      return `  ${wallets} wallets, ${formatUsdc(priceMicro)} USDC each, place ${place}: ${rival.score.toFixed(3)} falls by ${moved.toFixed(3)}, the plain average ${rival.average.toFixed(2)} of ${rival.counted} to ${average.toFixed(2)} (given to the rival ${formatUsdc(givenMicro)}, burned ${formatUsdc(burnedMicro)})`
    }),
  )
  goals.push({
    what: 'Review bombing moves a rival’s score by less than 0.2',
    isReached: worst < 0.2,
    figure: worst.toFixed(3),
  })
  return ['review bombing', ...lines]
}

/** A newcomer in every category: three buyers of the market, 200 USDC each, five stars in the last month. */
function newcomerLines(market: Market, honest: readonly Ranked[], goals: Goal[]): string[] {
  const buyers = [...market.buyers.values()].filter(({ id }) => id.startsWith('buyer'))
  const places = Array.from({ length: MARKET.categories }, (_, category) => {
    const grown = copyOf(market)
    const newcomer = {
      id: `newcomer-${category}`,
      owner: `newcomers-owner-${category}`,
      category,
      quality: 5,
    }
    grown.agents.push(newcomer)
    for (const number of [0, 1, 2]) {
      const buyer = buyers[(category * 97 + number * 31) % buyers.length]?.id ?? ''
      const day = MARKET.days - 5 - number * 10
      deal(grown, { agent: newcomer, buyer, day, priceMicro: 200n * MICRO_PER_USDC, rating: 5 })
    }
    const rivals = honest.filter(({ agent }) => agent.category === category)
    return { place: placeAmong(scoreOf(grown, newcomer), rivals), of: rivals.length + 1 }
  })
  goals.push({
    what: 'Newcomers with 3 good jobs are on the first page of their category',
    isReached: places.every(({ place }) => place <= FIRST_PAGE),
    figure: places.map(({ place, of }) => `${place} of ${of}`).join(', '),
  })
  return []
}

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
const report = [
  `# Sybil attacks, ${new Date().toISOString().slice(0, 10)} at ${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`,
  '',
  `${MARKET.buyers} buyers, ${MARKET.agents} agents in ${MARKET.categories} categories, ${MARKET.days} days. Place: among the honest agents.`,
]
console.log(report.join('\n'))
let missed = 0
for (const seed of values.seeds.split(',').map(Number)) {
  const { market } = honestMarket(seed)
  const honest = rank(market)
  const counted = honest.reduce((sum, one) => sum + one.counted, 0)
  const reviews = honest.reduce((sum, one) => sum + one.reviews, 0)
  const goals: Goal[] = []
  const lines = [
    `\n## Seed ${seed}: ${market.deals.length} jobs, ${reviews} reviews, ${((100 * counted) / reviews).toFixed(1)}% of the honest ones count\n`,
    '```',
    `scores of the honest: ${[1, 10, 50, 100, 150, 200].map((place) => `place ${place} ${honest[place - 1]?.score.toFixed(3)}`).join(', ')}`,
    ...attackLines(market, honest, goals),
    ...bombLines(market, honest, goals),
    ...newcomerLines(market, honest, goals),
    ...goals.map(({ what, isReached, figure }) => `${isReached ? 'reached' : 'MISSED '}  ${what}: ${figure}`),
    '```',
  ]
  missed += goals.filter(({ isReached }) => !isReached).length
  console.log(lines.join('\n'))
  report.push(...lines)
}
report.push('', missed === 0 ? 'All goals are reached.' : `${missed} goals are missed.`)
console.log(report.at(-1))
if (missed > 0) process.exitCode = 1
if (values.save) {
  const [day = '', time = ''] = new Date().toISOString().split('T')
  const file = join(
    import.meta.dirname,
    '..',
    'results',
    `${day}-${time.slice(0, 5).replace(':', '')}-sybil.md`,
  )
  writeFileSync(file, `${report.join('\n')}\n`)
  console.log(`\nSaved as ${file}`)
}
