import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupError } from '../startup-error.ts'

/** The unprivileged account that PostgreSQL runs as, because it refuses to run as root. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** The accounts to take, best first. An account of its own beats one that other daemons share. */
const accountNames = ['postgres', 'nobody', 'daemon']

/** The account for this process, or undefined where the process itself is unprivileged. A cluster stays with its owner. */
export async function findAccount(existingCluster: string | undefined): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const accounts = await readAccounts()
  if (existingCluster !== undefined) {
    const { uid } = await stat(existingCluster)
    const owner = accounts.find((account) => account.uid === uid && uid !== 0)
    if (owner !== undefined) return owner
  }
  for (const name of accountNames) {
    const account = accounts.find((candidate) => candidate.name === name && candidate.uid !== 0)
    if (account !== undefined) return account
  }
  throw new StartupError(
    'The embedded database cannot run as root and there is no account postgres or nobody. Run as another user, or set DATABASE_URL.',
  )
}

/** Whether the account may pass through every directory of the path. */
export async function canEnter(path: string, account: Account): Promise<boolean> {
  const status = await stat(path)
  const shift = status.uid === account.uid ? 6 : status.gid === account.gid ? 3 : 0
  if (((status.mode >> shift) & 1) === 0) return false
  const parent = dirname(path)
  return parent === path || canEnter(parent, account)
}

async function readAccounts(): Promise<Account[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    if (name === undefined || uid === undefined || gid === undefined) return []
    // macOS writes the ids of nobody as -2.
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }]
  })
}
