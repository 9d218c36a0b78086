import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Child, Children } from '../children.ts'
import type { Machine } from './machines.ts'

export interface DatabaseProxy {
  port: number
  restart(): Promise<void>
}

interface Deps {
  children: Children
  machines: readonly Machine[]
  directory: string
  port: number
}

/** HAProxy, which leads to the machine that its Patroni calls the primary. */
export function startProxy({ children, machines, directory, port }: Deps): DatabaseProxy {
  const file = join(directory, 'haproxy.cfg')
  writeFileSync(file, settingsOf(machines, port))
  const start = (): Child => children.start('haproxy', ['/usr/sbin/haproxy', '-db', '-f', file])
  let running = start()
  return {
    port,
    async restart() {
      await running.end('SIGTERM')
      running = start()
    },
  }
}

const settingsOf = (machines: readonly Machine[], port: number): string => `
global
  maxconn 2000
defaults
  mode tcp
  # Connections that wait for announcements are silent for long.
  timeout client 1h
  timeout server 1h
  timeout connect 2s
  timeout check 2s
  option clitcpka
  option srvtcpka
listen primary
  bind 127.0.0.1:${port}
  option httpchk
  http-check send meth GET uri /primary
  http-check expect status 200
  # A server that is no longer the primary loses its connections at once: clients that wait on them would wait for long.
  default-server inter 500ms fastinter 250ms downinter 500ms fall 3 rise 1 on-marked-down shutdown-sessions
${machines.map(({ name, host, ports }) => `  server ${name} ${host}:${ports.postgres} check port ${ports.patroni}`).join('\n')}
`
