// Measures the embedded PostgreSQL, reached by its unix socket, against a system PostgreSQL reached by TCP.
// Run: node bench/embedded.bench.ts
import { openBenchDatabase } from './agents-seed.ts'
import { withContenders } from './contenders/contenders.ts'
import { compare } from './measuring/compare.ts'
import { atLeast, printRows, type Row } from './measuring/rows.ts'
import { startSystemPostgres } from './measuring/system-postgres.ts'

const SIZE = 100_000

/** P8. */
export async function benchEmbedded(): Promise<Row[]> {
  const embedded = await openBenchDatabase()
  const server = await startSystemPostgres()
  const system = await openBenchDatabase(async () => server)
  try {
    for (const database of [embedded, system]) await database.growTo(SIZE)
    const wallets = await embedded.wallets(20_000)
    let turn = 0
    const next = () => {
      turn += 1
      return { path: `/api/agents/${wallets[turn % wallets.length]}` }
    }
    return await withContenders(embedded.connection, ['ours'], ({ ours }) =>
      withContenders(system.connection, ['ours'], async ({ ours: onSystem }) => {
        const other = { ...onSystem, name: 'on the system' }
        const many = await compare({ ...ours, name: 'embedded' }, other, { connections: 64, next })
        const figures = `${many.figures}; against ${server.name}`
        return [
          atLeast(
            'P8',
            'agent detail on the embedded database, 64 clients, throughput',
            many.throughput,
            0.9,
            figures,
          ),
          atLeast('P8', 'the same, CPU of the server process', many.cpu, 0.9, figures),
        ]
      }),
    )
  } finally {
    await Promise.all([embedded.close(), system.close()])
  }
}

if (import.meta.main) printRows(await benchEmbedded())
