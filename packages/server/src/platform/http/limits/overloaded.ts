import { AppError } from '@agent-marketplace/contract'

/** Nothing was done for a request that is refused with this. */
export const overloaded = new AppError('UNAVAILABLE', {
  message: 'The service has more requests than it can handle. Nothing was done; try again.',
})
