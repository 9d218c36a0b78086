import { type Feature, onChain } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { whenHappens } from '../../house/happenings.ts'
import { createHealthReport } from './operations/health.ts'
import { adminRoutes } from './routes.ts'
import { type AdminDeps, createAdminService } from './service.ts'

interface Deps extends Ground {
  sessions: Pick<AdminDeps, 'forgetOwner'>
  agents: AdminDeps['agents']
  questions: AdminDeps['questions']
  jobs: { console: Pick<AdminDeps, 'jobsById' | 'disputes'> }
  withdrawals: { listAll: AdminDeps['listWithdrawals'] }
}

/** The admins' console: it decides on people, and carries what the Safe's owners decide on money. */
export function defineFeature(deps: Deps): Feature<undefined> {
  const { config, chain, money, queue, sessions, jobs, withdrawals } = deps
  const { reader } = chain
  const admin = createAdminService({
    ...deps,
    ...jobs.console,
    ...createHealthReport({ money, queue, reader }),
    forgetOwner: sessions.forgetOwner,
    safe: chain.arbiter,
    readArbiter: () => money.roles.holderOf('arbiter'),
    listWithdrawals: withdrawals.listAll,
    engine: money,
    reader,
    cursorSecret: config.sessionSecret,
  })
  const { roleAudit } = admin
  return {
    api: undefined,
    routes: adminRoutes({ admin }),
    intentKinds: [admin.rulingKind],
    eventHandlers: [onChain('RoleChanged', roleAudit.changed, roleAudit.takenBack)],
    happenings: [whenHappens('job.amlFlagged', (tx, flagged) => admin.aml.raise(tx, flagged))],
  }
}
