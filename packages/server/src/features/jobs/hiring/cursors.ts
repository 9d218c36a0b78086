export interface JobPosition {
  createdAt: string
  id: string
  /** Of a quote: what the service promised; see `promiseOf`. */
  promise?: string
}

/** Signed positions in a list, bound to its filter. */
export interface JobCursors {
  write(position: JobPosition, filter: unknown): string
  read(cursor: string, filter: unknown): JobPosition
}
