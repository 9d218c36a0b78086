import { downloadJobFile, uploadHireFile, uploadJobFile } from '@agent-marketplace/contract'
import { type Route, route } from '../../platform/http/call.ts'
import type { FileDoor } from './file-door.ts'

export function jobFilesRoutes({ upload, uploadForHire, download }: FileDoor): Route[] {
  return [
    route(uploadHireFile, async ({ principal, params: { name }, request }) => ({
      data: await uploadForHire(request, principal, name),
    })),

    route(uploadJobFile, async ({ principal, params: { id: jobId, name }, request }) => ({
      data: await upload(request, principal, { jobId, name }),
    })),

    route(downloadJobFile, async ({ principal, params: { id: jobId, fileId }, request, reply }) => {
      await download(request, reply, principal, { jobId, fileId })
      return undefined
    }),
  ]
}
