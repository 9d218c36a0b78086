// Measures escrow jobs from deposit to release on the devnet alone, each transaction acknowledged only after it is synced to
// disk and mined, and how long their replay takes; then the same work as intents of the money engine, which tries each call
// before it goes out and keeps everything in the database.
// Run: node bench/devnet.bench.ts [jobs]
import { measureDevnet } from './devnet/alone.ts'
import { measureRelayer } from './devnet/relayed.ts'
import { atLeast, printRows } from './measuring/rows.ts'

const GOAL_PER_SECOND = 800

const jobs = Number(process.argv[2] ?? 400)
const alone = await measureDevnet({ jobs, hasTrials: false })
const tried = await measureDevnet({ jobs, hasTrials: true })
const relayed = await measureRelayer({ jobs })

const rounded = (...figures: number[]): string => figures.map((figure) => figure.toFixed(0)).join(', ')
const figures =
  'alone, alone with a trial of each, through the relayer: ' +
  `${rounded(alone.perSecond, tried.perSecond, relayed.relayedPerSecond)} transactions/s; ` +
  `${rounded(alone.cpuMicros, tried.cpuMicros, relayed.relayCpuMicros)} µs of CPU each`
printRows([
  atLeast('P10', 'relayer to the devnet alone', relayed.relayedPerSecond / alone.perSecond, 0.7, figures),
  atLeast(
    'P10',
    'relayer to the devnet alone with a trial of each call, as the relayer has',
    relayed.relayedPerSecond / tried.perSecond,
    0.7,
    figures,
  ),
  atLeast(
    'P10',
    `through the relayer, to ${GOAL_PER_SECOND}/s`,
    relayed.relayedPerSecond / GOAL_PER_SECOND,
    1,
    `settled in the books: ${rounded(relayed.settledPerSecond)}/s; restart of the devnet: ${rounded(alone.restartMs)} ms for ${relayed.transactions}`,
  ),
])
