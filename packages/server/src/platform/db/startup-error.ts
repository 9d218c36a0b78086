/** The service cannot start for a reason that its host can act on: the main program prints `userMessage` and nothing else, and exits with 1. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
  readonly code = 'STARTUP'
  readonly userMessage: string

  constructor(userMessage: string, options?: ErrorOptions) {
    super(userMessage, options)
    this.userMessage = userMessage
  }
}
