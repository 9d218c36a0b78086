import { toast } from 'sonner'
import { plainError } from '../data/errors.ts'
import { isRejectedByUser } from '../session/wallet-error.ts'

/** Something went well and is over. */
export function tellDone(title: string, description?: string): void {
  toast.success(title, description === undefined ? {} : { description })
}

/** Something did not go well. A refusal to sign is an answer, so it is told calmly. */
export function tellError(error: unknown): void {
  if (isRejectedByUser(error)) {
    toast('You did not sign. Nothing happened.')
    return
  }
  const { title, advice, requestId } = plainError(error)
  toast.error(title, { description: requestId === undefined ? advice : `${advice} Request ${requestId}.` })
}

/** Something to know that is neither a success nor a failure. */
export function tellCalmly(title: string): void {
  toast(title)
}
