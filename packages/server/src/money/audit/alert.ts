/** Notifies a person. Called for what the engine cannot put right by itself. */
export type Alert = (message: string, details: Record<string, unknown>) => void | Promise<void>
