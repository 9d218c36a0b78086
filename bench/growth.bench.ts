// Measures what each call and each recurring task costs in markets of different sizes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBenchDatabase } from './agents-seed.ts'
import { measureCosts } from './growth/costs.ts'
import { fillAround, shares } from './growth/fill.ts'
import { drawPlot } from './growth/plot.ts'
import { openService } from './growth/service.ts'
import { formatStorage, measureStorage, type Storage } from './growth/storage.ts'
import { formatTable, type Measured } from './growth/table.ts'

const plotFile = join(import.meta.dirname, '..', 'docs', 'growth.svg')

async function measureSize(size: number): Promise<Measured & { storage: Storage }> {
  const database = await openBenchDatabase()
  try {
    console.error(`Filling a market of ${size} agents`)
    await database.growTo(size)
    await fillAround(database.connection, size)
    const storage = await measureStorage(database.connection)
    console.error('Measuring it')
    const service = await openService(database.connection)
    try {
      return { size, storage, costs: await measureCosts(service, await database.wallets(100)) }
    } finally {
      await service.close()
    }
  } finally {
    await database.close()
  }
}

/** Of one size after the other, each in a database of its own; draws them in docs/growth.svg. */
export async function benchGrowth(sizes: readonly number[]): Promise<string> {
  const measured: (Measured & { storage: Storage })[] = []
  for (const size of sizes) {
    measured.push(await measureSize(size))
    // A run takes an hour: what is known so far is shown.
    console.error(formatTable(measured))
  }
  writeFileSync(plotFile, drawPlot(measured))
  const { jobs, entries, notifications, watchedWallets, subscriptions, deliveries } = shares
  return [
    `For each agent: ${jobs} jobs, ${entries} journal entries of 2 postings (a tenth of them of one seller), ${notifications} notifications`,
    `(a tenth of one seller), a tenth of the jobs of one buyer, ${watchedWallets} watched wallets, ${subscriptions} subscriptions, ${deliveries} webhook deliveries;`,
    `and of each a row or two of what work, money, accounts and calls leave behind (bench/growth). An owner for every 10 agents. The fastest of several runs, one call at a time.`,
    '',
    formatTable(measured),
    '',
    formatStorage(measured),
  ].join('\n')
}
