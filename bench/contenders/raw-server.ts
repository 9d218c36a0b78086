import { createServer, type ServerResponse } from 'node:http'
import { mergeFormValues } from '@agent-marketplace/contract'
import pg from 'pg'
import { findAgentsByWallet } from '../../packages/server/src/features/agents/lookup-store.ts'
import { historiesOf, noHistory } from '../../packages/server/src/features/agents/reading/detail.ts'
import {
  presentAgent,
  presentBothForms,
  presentDetail,
} from '../../packages/server/src/features/agents/reading/present.ts'
import type { AgentRow } from '../../packages/server/src/features/agents/store.ts'
import { portfoliosOf, reviewsOf } from '../../packages/server/src/features/reputation/history.ts'
import { type Connection, types } from '../../packages/server/src/platform/db/connection.ts'
import { createQueryable, query } from '../../packages/server/src/platform/db/queryable.ts'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { reportTo } from '../measuring/measure.ts'

/**
 * The floor: node:http with named prepared statements, the same ones as ours, each request by itself, and no checks at
 * all. Lists come from memory, by JSON.stringify each time.
 */
const POOL_SIZE = 16
const connection: Connection = JSON.parse(process.env.BENCH_CONNECTION ?? '{}')
const pool = new pg.Pool({ ...connection, types, max: POOL_SIZE })
const db = createQueryable(async (statement) => {
  const client = await pool.connect()
  try {
    return await query(client, statement)
  } finally {
    client.release()
  }
})

const newest = await db.rows<AgentRow>(
  sql`select * from agents where listed order by created_at desc, id desc limit 20`,
)
const firstPage = { data: newest.map(presentAgent), nextCursor: 'x'.repeat(111) }

function sendJson(response: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

const sellersOf = async () => new Map()

async function sendAgent(response: ServerResponse, wallet: string): Promise<void> {
  const rows = await findAgentsByWallet(db, [wallet.toLowerCase()])
  const [row] = rows
  if (!row) return void response.writeHead(404).end()
  const history =
    (await historiesOf(db, { reviewsOf, portfoliosOf, sellersOf }, rows)).get(row.id) ?? noHistory
  const { a, b } = presentBothForms(
    row,
    presentDetail(row, {
      history,
      registry: '',
      custody: { isTee: false, statement: '' },
      isPrivy: false,
      seller: { walletAddress: wallet, verifiedBusiness: null },
    }),
  )
  sendJson(response, mergeFormValues(a, b))
}

const server = createServer((request, response) => {
  const path = request.url ?? ''
  if (path === '/api/agents') sendJson(response, firstPage)
  else void sendAgent(response, path.slice('/api/agents/'.length))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
reportTo(process, typeof address === 'object' && address ? address.port : 0)
process.on('SIGTERM', () => process.exit(0))
