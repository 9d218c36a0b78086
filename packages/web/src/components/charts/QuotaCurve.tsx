import { quotaTiers } from '@agent-marketplace/contract'
import { usdcText } from '../../format/money.ts'

const WIDTH = 240
const HEIGHT = 72
const PAD = 8
const priceTicks = [0, 0.5, 1]
const agentTicks = [0, 50, 100]
/** The last tier has no end that matters; it is drawn a little further. */
const SHOWN_AGENTS = 130

const xOf = (agents: number): number =>
  PAD + (Math.min(agents, SHOWN_AGENTS) / SHOWN_AGENTS) * (WIDTH - 2 * PAD)
const yOf = (priceMicro: bigint): number =>
  HEIGHT - PAD - (Number(priceMicro) / 1_000_000) * (HEIGHT - 2 * PAD)

/** The price of each agent by how many there are, as steps that go down, with a dot where the quota stands. */
export function QuotaCurve({ quota }: { quota: number }) {
  let from = 0
  const steps = quotaTiers.map(({ upToAgents, pricePerAgentMicro }) => {
    const step = { from, upTo: upToAgents, priceMicro: pricePerAgentMicro }
    from = upToAgents
    return step
  })
  const path = steps.map(({ from: start, upTo, priceMicro }, index) => {
    const y = yOf(priceMicro).toFixed(1)
    return `${index === 0 ? 'M' : 'L'}${xOf(start).toFixed(1)} ${y} L${xOf(upTo).toFixed(1)} ${y}`
  })
  const here = steps.find(({ upTo }) => quota <= upTo)
  const words = steps.map(({ from: start, priceMicro }) => `${usdcText(priceMicro)} from agent ${start + 1}`)
  return (
    <figure className="flex w-72 max-w-full flex-col text-12 text-ink-faint">
      <p aria-hidden>USDC a month for each agent</p>
      <div className="flex gap-2">
        <div aria-hidden className="relative w-7 shrink-0">
          {priceTicks.map((price) => (
            <span
              key={price}
              className="absolute right-0 -translate-y-1/2"
              style={{ top: `${(yOf(BigInt(price * 1_000_000)) / HEIGHT) * 100}%` }}
            >
              {price.toFixed(1)}
            </span>
          ))}
        </div>
        <svg
          role="img"
          aria-label={`Price of each agent in USDC a month: ${words.join(', ')}.`}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          className="min-w-0 flex-1"
        >
          {priceTicks.map((price) => {
            const y = yOf(BigInt(price * 1_000_000))
            return (
              <path
                key={price}
                d={`M${PAD} ${y} H${WIDTH - PAD}`}
                className={price === 0 ? 'stroke-edge' : 'stroke-line'}
              />
            )
          })}
          <path d={path.join(' ')} stroke="var(--chart-1)" strokeWidth="2" fill="none" />
          {here && <circle cx={xOf(quota)} cy={yOf(here.priceMicro)} r="4.5" fill="var(--chart-2)" />}
        </svg>
      </div>
      <div aria-hidden className="relative ml-9 h-4">
        {agentTicks.map((agents) => (
          <span
            key={agents}
            className="absolute -translate-x-1/2"
            style={{ left: `${(xOf(agents) / WIDTH) * 100}%` }}
          >
            {agents}
          </span>
        ))}
        <span className="absolute right-0 bg-surface pl-1">Agents</span>
      </div>
    </figure>
  )
}
