/** Everything outside the program: the streams, the environment and the person at the keyboard. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>
  directory: string
  homeDirectory: string
  /** Whether somebody is there to be asked. */
  isInteractive: boolean
  /** Whether the result is read on a screen, and not by a program. */
  isScreen: boolean
  /** Results, on standard output. */
  print(text: string): void
  /** Progress, questions and errors, on standard error. */
  note(text: string): void
  ask(question: string): Promise<string>
  /** Without showing what is typed. */
  askSecret(question: string): Promise<string>
  /** All of standard input. */
  readInput(): Promise<string>
  /** Ctrl-C. */
  signal: AbortSignal
}
