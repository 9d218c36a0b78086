import { alertMessages as ofMoney } from '../money/audit/alert.ts'

/** Everything that admins are alerted to: by the money engine, and by the rest of the service. */
export const alertMessages = {
  ...ofMoney,
  MONTHS_BEHIND: 'A table has no partitions for the coming months: its rows wait in the default partition',
  MONTHS_NOT_ARCHIVED:
    'Months whose time is over could not be written to the archive: they stay in the database',
  REPLICA_BEHIND: 'A read replica is too far behind or out of reach: the primary serves its reads',
} as const
export type AlertName = keyof typeof alertMessages

export type Alert = (name: AlertName, details: Record<string, unknown>) => void | Promise<void>
