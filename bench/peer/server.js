// Agents and jobs as most teams would write them: Express 5, helmet, a rate limiter, jsonwebtoken and Prisma 7.
import { randomUUID } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import express from 'express'
import { rateLimit } from 'express-rate-limit'
import helmet from 'helmet'
import jwt from 'jsonwebtoken'
import { PrismaClient } from './generated/client.ts'

const POOL_SIZE = 16
const connection = JSON.parse(process.env.BENCH_CONNECTION)
const secret = process.env.BENCH_SECRET
const prisma = new PrismaClient({
  adapter: new PrismaPg({ ...connection, max: POOL_SIZE }, { schema: 'peer' }),
})

const app = express()
app.use(helmet())
app.use(rateLimit({ windowMs: 60_000, limit: 1_000_000_000, standardHeaders: true, legacyHeaders: false }))
app.use(express.json({ limit: '1mb' }))

function requireOwner(request, response, next) {
  try {
    request.owner = jwt.verify((request.headers.authorization ?? '').replace('Bearer ', ''), secret)
    next()
  } catch {
    response.status(401).json({ error: { code: 'UNAUTHORIZED' } })
  }
}

const present = (agent) => ({
  id: agent.id,
  walletAddress: agent.walletAddress,
  name: agent.name,
  description: agent.description,
  category: agent.category,
  avatarUrl: agent.avatarUrl,
  hourlyRateUsdc: String(agent.hourlyRateMicro ?? agent.lowestPriceMicro),
  averageRating: agent.averageRating,
  totalJobs: agent.totalJobs,
  approvalStatus: agent.approvalStatus,
})

app.get('/api/agents', async (request, response) => {
  const limit = Number(request.query.limit ?? 20)
  const agents = await prisma.agent.findMany({
    where: { listed: true, ...(request.query.category && { category: request.query.category }) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
    ...(request.query.cursor && { cursor: { id: request.query.cursor }, skip: 1 }),
  })
  const page = agents.slice(0, limit)
  response.json({ data: page.map(present), nextCursor: agents.length > limit ? page.at(-1).id : null })
})

const orders = {
  rating: { averageRating: 'desc' },
  price: { lowestPriceMicro: 'asc' },
  jobs: { totalJobs: 'desc' },
  earned: { totalEarnedMicro: 'desc' },
  newest: { createdAt: 'desc' },
}

app.get('/api/agents/search', async (request, response) => {
  const {
    q,
    type,
    skills,
    minRating,
    maxPrice,
    x402Enabled,
    sort = 'rating',
    limit = 20,
    offset = 0,
  } = request.query
  const where = {
    listed: true,
    ...(q && {
      OR: [
        { name: { contains: q, mode: 'insensitive' } },
        { description: { contains: q, mode: 'insensitive' } },
      ],
    }),
    ...(type && { category: type }),
    ...(skills && { skills: { hasEvery: skills.split(',') } }),
    ...(minRating && { averageRating: { gte: Number(minRating) } }),
    ...(maxPrice && { lowestPriceMicro: { lte: BigInt(maxPrice) } }),
    ...(x402Enabled && { x402Enabled: x402Enabled === 'true' }),
  }
  const [agents, total] = await Promise.all([
    prisma.agent.findMany({ where, orderBy: orders[sort], take: Number(limit), skip: Number(offset) }),
    prisma.agent.count({ where }),
  ])
  response.json({
    data: { agents: agents.map(present), total, limit: Number(limit), offset: Number(offset) },
  })
})

app.get('/api/agents/:wallet', async (request, response) => {
  const agent = await prisma.agent.findUnique({
    where: { walletAddress: request.params.wallet },
    include: { reviews: { orderBy: { createdAt: 'desc' }, take: 10 } },
  })
  if (!agent) return response.status(404).json({ error: { code: 'NOT_FOUND' } })
  const { reviews, services, skills, totalEarnedMicro } = agent
  const detail = { ...present(agent), totalEarned: String(totalEarnedMicro), skills, services, reviews }
  response.json({ data: { ...present(agent), agent: detail } })
})

app.post('/api/jobs', requireOwner, async (request, response) => {
  const { agentId, title, description, category = 'general', agreedPrice, deadlineHours } = request.body
  if (typeof agentId !== 'string' || typeof title !== 'string' || !/^[1-9][0-9]*$/.test(agreedPrice)) {
    return response.status(400).json({ error: { code: 'VALIDATION_ERROR' } })
  }
  const agent = await prisma.agent.findUnique({ where: { id: agentId }, include: { owner: true } })
  if (!agent) return response.status(404).json({ error: { code: 'NOT_FOUND' } })
  if (agent.approvalStatus === 'REJECTED' || agent.pausedBy) {
    return response.status(409).json({ error: { code: 'INVALID_STATE' } })
  }
  const priceMicro = BigInt(agreedPrice)
  const isEscrow = priceMicro >= 100_000_000n
  const feeMicro = isEscrow ? priceMicro / 50n : 0n
  const id = randomUUID()
  const message = `“${title}”: ${agent.name} is asked to work.`
  const [job] = await prisma.$transaction([
    prisma.job.create({
      data: {
        id,
        agentId,
        clientId: request.owner.sub,
        sellerId: agent.ownerId,
        title,
        description,
        category,
        status: 'PENDING',
        paymentMethod: isEscrow ? 'ESCROW' : 'X402',
        priceMicro,
        feeMicro,
        netMicro: priceMicro - feeMicro,
        deadlineAt: deadlineHours ? new Date(Date.now() + deadlineHours * 3_600_000) : null,
      },
    }),
    prisma.jobEvent.create({ data: { jobId: id, type: 'JOB_CREATED', actor: 'CLIENT' } }),
    prisma.notification.create({
      data: { ownerId: agent.ownerId, type: 'JOB_CREATED', title: 'New job', message, link: `/jobs/${id}` },
    }),
    prisma.outboxEvent.create({ data: { type: 'job.created', payload: { jobId: id } } }),
  ])
  response.status(201).json({
    data: {
      jobId: job.id,
      status: job.status,
      paymentMethod: job.paymentMethod,
      agreedPriceUsdc: (Number(job.priceMicro) / 1e6).toFixed(2),
      job: { id: job.id, status: job.status, agreedPrice: agreedPrice, platformFee: String(job.feeMicro) },
      paymentInfo: { method: job.paymentMethod.toLowerCase(), message: 'Pay for the job.' },
    },
  })
})

process.on('message', (message) => {
  const { user, system } = process.cpuUsage()
  if (message === 'cpu') process.send({ cpuMicros: user + system })
})
const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('SIGTERM', () => process.exit(0))
