import type { Base } from '../house/ground.ts'
import { createHappenings } from '../house/happenings.ts'
import type { AppDeps } from '../house/outside.ts'
import { bindTreasury } from '../money/roles/roles.ts'
import { createDownloads } from '../platform/csv/downloads.ts'
import { createIdSource } from '../platform/id/id.ts'
import { createScrub } from '../platform/log/scrub.ts'
import { createQueue } from '../platform/queue/queue.ts'
import { createSealers } from '../sealing/sealers.ts'

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
    adminWallets,
    isAdminWallet: (walletAddress) => adminWallets.has(walletAddress.toLowerCase()),
    sealers: createSealers(config),
  }
}

/** In the sandbox one test wallet may look after the marketplace too. */
function adminWalletsOf({ config, sandbox }: AppDeps): ReadonlySet<string> {
  const testWallets = sandbox?.chain?.testWallets.filter(({ role }) => role === 'admin') ?? []
  return new Set([...config.adminWallets, ...testWallets.map(({ address }) => address.toLowerCase())])
}
