import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

interface Lock {
  packages: Record<string, { version?: string; link?: boolean }>
}

/** Where the lockfile has put each version of each package. */
function installedPackages(): Map<string, Map<string, string>> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  const found = new Map<string, Map<string, string>>()
  for (const [place, { version, link }] of Object.entries(packages)) {
    const [name] = place.split('node_modules/').slice(-1)
    // Those of other platforms are in the lockfile and not here.
    const isHere = existsSync(join(root, place, 'package.json'))
    if (!place.includes('node_modules/') || !name || !version || link || !isHere) continue
    const versions = found.get(name) ?? new Map<string, string>()
    found.set(name, versions.set(version, join(root, place)))
  }
  return found
}

/** A registry of what is installed here, so that npm can install from it without a network. */
export async function startRegistry() {
  const installed = installedPackages()
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1)
    const [name = '', version] = path.split('/-/')
    const versions = installed.get(name)
    if (!versions) return response.writeHead(404).end('{}')
    const place = version === undefined ? undefined : versions.get(version)
    if (place) return response.end(packed(place))
    return response.end(JSON.stringify(described(name, versions, url)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function described(name: string, versions: Map<string, string>, url: string): object {
  const manifests = [...versions].map(([version, place]) => {
    const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
    return [version, { ...manifest, dist: { tarball: `${url}/${encodeURIComponent(name)}/-/${version}` } }]
  })
  const [latest] = [...versions.keys()].slice(-1)
  return { name, 'dist-tags': { latest }, versions: Object.fromEntries(manifests) }
}

/** As npm packs it, all below one directory. What the package has installed for itself stays out. */
function packed(place: string): Buffer {
  const options = { maxBuffer: 1024 * 1024 * 1024 }
  const [above, directory] = [join(place, '..'), place.split('/').slice(-1)[0] ?? '']
  return execFileSync(
    'tar',
    ['-cf', '-', '--exclude', `${directory}/node_modules`, '-C', above, directory],
    options,
  )
}
