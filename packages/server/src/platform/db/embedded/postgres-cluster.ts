import { existsSync } from 'node:fs'
import { chown, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { PostgresHome } from './postgres-home.ts'
import { runPostgresTool } from './postgres-tool.ts'

/** Makes the cluster once. It gets its name when it is complete, so a killed attempt is simply made again. */
export async function initialiseCluster(home: PostgresHome, isDurable: boolean): Promise<void> {
  const { binaries, cluster, account } = home
  if (existsSync(cluster)) return
  const draftPrefix = `${cluster}.new-`
  await removeDrafts(draftPrefix)
  // A name of its own: the initdb of a service that was killed may still be writing.
  const draft = await mkdtemp(draftPrefix)
  if (account !== undefined) await chown(draft, account.uid, account.gid)
  await runPostgresTool({
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
  await rename(draft, cluster)
}

async function removeDrafts(prefix: string): Promise<void> {
  const directory = dirname(prefix)
  const names = (await readdir(directory)).filter((name) => name.startsWith(basename(prefix)))
  await Promise.all(names.map((name) => rm(join(directory, name), { recursive: true, force: true })))
}

/** On Linux one call writes all files to the disk; elsewhere initdb syncs a thousand files one by one. */
function syncOptions(isDurable: boolean): string[] {
  if (!isDurable) return ['--no-sync']
  return process.platform === 'linux' ? ['--sync-method=syncfs'] : []
}
