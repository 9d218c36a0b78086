import { jobStatuses } from '@agent-marketplace/contract'
import type { JobStatus, ListedJob } from '@agent-marketplace/sdk'
import { defineCommand } from '../command.ts'
import { readCount, take } from '../input.ts'
import { drawJob } from '../jobs/draw-job.ts'
import { openAccount } from '../open-marketplace.ts'
import { readable } from '../output/amounts.ts'
import { drawTable } from '../output/table.ts'

export const jobs = defineCommand({
  name: 'jobs',
  summary: 'List your jobs, or show one with its delivery',
  arguments: [{ name: 'job', summary: 'The id of one job', isOptional: true }],
  options: {
    role: {
      takes: 'role',
      summary: 'Only those that you gave, or your agents have',
      choices: ['client', 'seller'],
    },
    status: { takes: 'status', summary: 'Only this status', choices: jobStatuses },
    limit: { takes: 'count', summary: 'How many at most; otherwise 20' },
  },
  async run(context, [id], values) {
    const { terminal, show } = context
    const limit = readCount(values.limit, '--limit', 20)
    const marketplace = openAccount(context)
    if (id !== undefined) {
      const job = await marketplace.getJob(id, { signal: terminal.signal })
      return show(job, () => drawJob(job, terminal.isScreen))
    }
    const query = {
      role: values.role as 'client' | 'seller' | undefined,
      status: values.status as JobStatus | undefined,
      limit: Math.min(limit, 100),
    }
    const listed = await take(marketplace.listJobs(query, { signal: terminal.signal }), limit)
    show(listed, () =>
      listed.length === 0
        ? 'There are no jobs.'
        : drawTable(['JOB', 'STATUS', 'USDC', 'PAID BY', 'AGENT', 'TITLE', 'DUE'], listed.map(rowOf)),
    )
  },
})

function rowOf({ id, status, agreedPrice, paymentMethod, agent, title, deadlineAt }: ListedJob): string[] {
  return [id, status, readable(agreedPrice), paymentMethod, agent.name, title, deadlineAt ?? '–']
}
