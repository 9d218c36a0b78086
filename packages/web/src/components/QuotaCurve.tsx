import { quotaTiers } from '@agent-marketplace/contract'
import { usdcText } from '../format/money.ts'

const WIDTH = 240
const HEIGHT = 72
const PAD = 8
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
    <svg
      role="img"
      aria-label={`Price of each agent in USDC a month: ${words.join(', ')}.`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="h-18 w-60 max-w-full"
    >
      <path d={`M${PAD} ${HEIGHT - PAD} H${WIDTH - PAD}`} stroke="var(--line)" fill="none" />
      <path d={path.join(' ')} stroke="var(--ink)" strokeWidth="1.5" fill="none" />
      {here && <circle cx={xOf(quota)} cy={yOf(here.priceMicro)} r="4.5" fill="var(--accent)" />}
    </svg>
  )
}
