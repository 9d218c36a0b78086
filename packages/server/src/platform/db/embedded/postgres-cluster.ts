import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { copyAs } from '../../disk/copy-tree.ts'
import type { PostgresHome } from './postgres-home.ts'
import { runPostgresTool } from './postgres-tool.ts'

/** Makes the cluster once. It gets its name when it is complete, so a killed attempt is simply made again. */
export async function initialiseCluster(
  home: PostgresHome,
  isDurable: boolean,
  onSpawn?: () => void,
): Promise<void> {
  const { binaries, cluster, account } = home
  if (existsSync(cluster)) return
  await removeDrafts(cluster)
  // A name of its own: the initdb of a service that was killed may still be writing.
  const draft = await mkdtemp(draftPrefixOf(cluster))
  if (account !== undefined) await chown(draft, account.uid, account.gid)
  const made = runPostgresTool({
    program: join(binaries, 'initdb'),
    args: [
      `--pgdata=${draft}`,
      '--username=postgres',
      // Only the account itself and root can enter the directory of the socket.
      '--auth=trust',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
      ...syncOptions(isDurable),
    ],
    account,
  })
  onSpawn?.()
  await made
  await rename(draft, cluster)
}

/**
 * Puts a copy of another cluster, as a backup has left it, in the place of the one that is there, whose server has stopped. It
 * gets its name when it is complete. That it is on the disk is seen to by the server, before it recovers it.
 */
export async function replaceCluster({ cluster }: PostgresHome, backup: string): Promise<void> {
  await removeDrafts(cluster)
  const draft = newDraftOf(cluster)
  await copyAs(draft, backup)
  if (existsSync(cluster)) await rename(cluster, newDraftOf(cluster))
  await rename(draft, cluster)
  await removeDrafts(cluster)
}

const draftPrefixOf = (cluster: string): string => `${cluster}.new-`
const newDraftOf = (cluster: string): string => draftPrefixOf(cluster) + randomBytes(6).toString('hex')

async function removeDrafts(cluster: string): Promise<void> {
  const directory = dirname(cluster)
  const prefix = basename(draftPrefixOf(cluster))
  const names = (await readdir(directory)).filter((name) => name.startsWith(prefix))
  await Promise.all(names.map((name) => rm(join(directory, name), { recursive: true, force: true })))
}

/** On Linux one call writes all files to the disk; elsewhere initdb syncs a thousand files one by one. */
function syncOptions(isDurable: boolean): string[] {
  if (!isDurable) return ['--no-sync']
  return process.platform === 'linux' ? ['--sync-method=syncfs'] : []
}
