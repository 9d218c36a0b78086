import type { JsonTypedData } from '../ports/chain/port.ts'
import type { Actor, Wallet } from './actor.ts'

/** What the administrator does in the story, with the same HTTP as the console's pages. */
export interface ConsoleActs {
  /** Proposes a ruling, which is carried out once the Safe's owners have signed it. */
  rule(jobId: string, body: { sellerBps: number }): Promise<void>
  /** Closes the review of a large job. */
  resolveFlag(jobId: string, body: { reason: string }): Promise<void>
}

export function createConsoleActs(admin: Actor, arbiters: readonly Wallet[]): ConsoleActs {
  return {
    async rule(jobId, body) {
      const ruling = `/api/admin/disputes/${jobId}/ruling`
      await admin.post(ruling, body)
      const { typedData } = await admin.get<{ typedData: JsonTypedData }>(ruling)
      for (const arbiter of arbiters) {
        const signature = await arbiter.signTypedData(typedData)
        await admin.post(`${ruling}/confirmations`, { signature })
      }
    },

    async resolveFlag(jobId, body) {
      const { flags } = await admin.get<{ flags: { id: string; job: { id: string } }[] }>(
        '/api/admin/aml-flags?status=OPEN',
      )
      const flag = flags.find(({ job }) => job.id === jobId)
      if (!flag) throw new Error(`the job ${jobId} is not flagged`)
      await admin.post(`/api/admin/aml-flags/${flag.id}/resolve`, body)
    },
  }
}
