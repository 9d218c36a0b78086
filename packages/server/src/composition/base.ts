import type { Config } from '../config/config.ts'
import type { Base } from '../house/ground.ts'
import { createHappenings } from '../house/happenings.ts'
import type { AppDeps } from '../house/outside.ts'
import { bindTreasury } from '../money/roles/roles.ts'
import { createDownloads } from '../platform/csv/downloads.ts'
import { createDrain } from '../platform/http/drain.ts'
import { createIdSource } from '../platform/id/id.ts'
import { createScrub } from '../platform/log/scrub.ts'
import { createQueue } from '../platform/queue/queue.ts'
import { createSealers } from '../sealing/sealers.ts'

/** A little more than the time between two probes of a balancer. */
const NOTICE_MS = 2_500

/** What belongs to no feature. */
export async function createBase(deps: AppDeps): Promise<Base> {
  const { config, db, log, connection } = deps
  const adminWallets = adminWalletsOf(deps)
  return {
    ...deps,
    chain: await bindTreasury(db, deps.chain),
    newId: createIdSource(deps.wallClock),
    queue: createQueue({ db, connection, log, scrub: createScrub(config.secrets) }),
    happenings: createHappenings(),
    downloads: createDownloads(),
    drain: createDrain({ noticeMs: hasBalancer(config) ? NOTICE_MS : 0 }),
    adminWallets,
    isAdminWallet: (walletAddress) => adminWallets.has(walletAddress.toLowerCase()),
    sealers: createSealers(config),
  }
}

/** A sandbox has none, and workers serve nothing. */
const hasBalancer = ({ mode, role }: Config): boolean => mode === 'production' && role !== 'worker'

/** In the sandbox one test wallet may look after the marketplace too. */
function adminWalletsOf({ config, sandbox }: AppDeps): ReadonlySet<string> {
  const testWallets = sandbox?.chain?.testWallets.filter(({ role }) => role === 'admin') ?? []
  return new Set([...config.adminWallets, ...testWallets.map(({ address }) => address.toLowerCase())])
}
