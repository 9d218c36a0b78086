import type { Feature } from '../../house/feature.ts'
import type { Ground } from '../../house/ground.ts'
import { registerWebPage } from './register.ts'

interface Deps extends Ground {
  agents: {
    detailOf: (wallet: string, viewer: undefined) => Promise<{ row: { name: string; description: string } }>
  }
}

export function defineFeature({ config, chain, webDirectory: directory, agents }: Deps): Feature<undefined> {
  // The page follows transactions on the chain itself; in the sandbox that is this server.
  const connectTo = config.chain === undefined ? [] : [new URL(chain.facts.publicRpcUrl).origin]
  const describeAgent = async (wallet: string) => (await agents.detailOf(wallet, undefined)).row
  const { publicUrl } = config
  return {
    api: undefined,
    httpHooks: [(http) => registerWebPage(http, { directory, connectTo, publicUrl, describeAgent })],
  }
}
