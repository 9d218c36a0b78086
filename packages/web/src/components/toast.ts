import { plainError } from '../data/errors.ts'
import { loadCode } from '../data/load-code.ts'
import { isRejectedByUser } from '../session/wallet-error.ts'

/** No page begins with a toast, so their code waits for the first one. */
export const loadToaster = () => loadCode(() => import('./toaster.tsx'))

/** Something went well and is over. */
export async function tellDone(title: string): Promise<void> {
  const { showToast } = await loadToaster()
  showToast('done', title)
}

/** Something did not go well. A refusal to sign is an answer, so it is told calmly. */
export async function tellError(error: unknown): Promise<void> {
  if (isRejectedByUser(error)) return tellCalmly('You did not sign. Nothing happened.')
  const { title, advice, requestId } = plainError(error)
  const { showToast } = await loadToaster()
  showToast('failed', title, requestId === undefined ? advice : `${advice} Request ${requestId}.`)
}

/** Something to know that is neither a success nor a failure. */
export async function tellCalmly(title: string, description?: string): Promise<void> {
  const { showToast } = await loadToaster()
  showToast('plain', title, description)
}
