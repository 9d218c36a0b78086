import { downloadReceipt, getReceipt } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import { presentReceipt } from './present.ts'
import type { ReceiptsService } from './service.ts'

export function receiptsRoutes({ receipts }: { receipts: ReceiptsService }): Route[] {
  return [
    route(getReceipt, async ({ principal, params }) => ({
      data: presentReceipt(await receipts.find(params.id, principal)),
    })),

    route(downloadReceipt, async ({ principal, params, reply }) => {
      const receipt = presentReceipt(await receipts.find(params.id, principal))
      // Its code and its font come with the first receipt: most processes never draw one.
      const { drawReceipt } = await import('./pdf/draw-receipt.ts')
      const pdf = await drawReceipt(receipt)
      reply
        .headers({
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="receipt-${receipt.number}.pdf"`,
          'cache-control': 'no-store',
        })
        .send(pdf)
      return undefined
    }),
  ]
}
