import { AppError } from '@agent-marketplace/contract'

/** Whatever the wallet provider fails with, the caller may try again, and nothing has changed. */
export async function askProvider<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw new AppError('UNAVAILABLE', {
      message: 'The wallet provider does not respond. Nothing was changed.',
      cause: error,
    })
  }
}
