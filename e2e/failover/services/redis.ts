import { findProgram } from '../../../scripts/testing/machine.ts'
import type { Child, Children } from '../children.ts'

export interface Redis {
  url: string
  kill(): Promise<void>
  start(): void
}

export function startRedis(children: Children, directory: string, port: number): Redis {
  const command = [
    findProgram('redis-server') ?? 'redis-server',
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--dir',
    directory,
  ]
  const start = (): Child => children.start('redis', command)
  let running = start()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => running.end('SIGKILL'),
    start() {
      running = start()
    },
  }
}
