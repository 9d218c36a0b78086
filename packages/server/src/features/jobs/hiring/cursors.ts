export interface JobPosition {
  createdAt: string
  id: string
  /** What the service promised; see `promiseOf`. */
  promise?: string
}

/** Signed reservations, bound to what was quoted and to whom. */
export interface JobCursors {
  write(position: JobPosition, filter: unknown): string
  read(cursor: string, filter: unknown): JobPosition
}
