import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from '../../failover/run-directory.ts'
import { type Outside, productionSettings, startOutside } from '../../failover/services/outside.ts'
import { type Service, startService } from '../../failover/services/services.ts'
import { clockOf, createFakeClock } from './clocks.ts'
import { createDatabase } from './database.ts'
import { createTime, type Time } from './time.ts'

export interface Setting {
  outside: Outside
  time: Time
  /** The service and its database, with clocks of their own, in this zone. */
  start(timeZone: string): Promise<{ service: Service; stop(): Promise<void> }>
  isAllPaid(): Promise<boolean>
  /** Of the service, without its clock. */
  environment: Record<string, string>
}

export async function startSetting({ children, directory, onClose }: Run): Promise<Setting> {
  const outside = await startOutside(children, directory)
  onClose(outside.close)
  const folder = join(directory, 'database')
  mkdirSync(folder, { mode: 0o711 })
  const database = await createDatabase(children, folder)
  onClose(database.stop)
  const clocks = {
    right: clockOf(process.env),
    service: createFakeClock(directory, 'service'),
    database: createFakeClock(directory, 'database'),
  }
  const environment = { ...productionSettings(outside), DATABASE_URL: database.url }
  return {
    outside,
    environment,
    isAllPaid: database.isAllPaid,
    time: createTime({ chainUrl: outside.rpcUrl.replace(/\/rpc$/, ''), clocks }),
    async start(timeZone) {
      const zone = { TZ: timeZone }
      await database.start({ ...clocks.database.environment, ...zone })
      const service = await startService('service', 'all', {
        children,
        directory,
        environment: { ...environment, ...clocks.service.environment, ...zone },
      })
      onClose(service.stop)
      await service.untilReady()
      return {
        service,
        async stop() {
          await service.stop()
          await database.stop()
        },
      }
    },
  }
}
