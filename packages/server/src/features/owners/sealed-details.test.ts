import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { createSealers } from '../../sealing/sealers.ts'
import { signIn } from '../../testing/sign-in.ts'
import { startWorld, type World } from '../../testing/start-world.ts'
import { registration } from './testing/test-owners.ts'

let app: World
beforeAll(async () => {
  app = await startWorld()
})
afterAll(() => app.close())

const details = {
  legalAddress: '12 Canary Wharf Lane',
  city: 'Canaryville',
  state: 'North Canary',
  postalCode: 'CA7 4RY',
  country: 'Canaria',
  phoneNumber: '+44 20 7946 0123',
  ein: '98-7654321',
}

/** Every row of every table, as a thief of the database would read it. */
async function dump(): Promise<string> {
  const tables = await app.db.rows<{ text: string }>(sql`
    select query_to_xml(format('select * from %I.%I', table_schema, table_name), false, false, '')::text as text
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`)
  return tables.map(({ text }) => text).join('\n')
}

const found = async () => {
  const text = await dump()
  return Object.values(details).filter((value) => text.includes(value))
}

async function opened(ownerId: string) {
  const { sealed } = await app.db.one<{ sealed: string }>(
    sql`select sealed_details as sealed from owners where id = ${ownerId}`,
  )
  return JSON.parse(createSealers(app.config).personalData.open(sealed, ownerId).toString())
}

test('address, phone and tax number are nowhere in the database in plain, and open with the key', async () => {
  const { ownerId, bearer } = await signIn(app.http)
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/owners/register',
    headers: { ...bearer, 'idempotency-key': 'register-once' },
    payload: { ...registration, ...details },
  })
  expect(response.statusCode, response.body).toBe(200)
  expect(await dump()).toContain(registration.entityName)
  expect(await found()).toEqual([])
  expect(await opened(ownerId)).toEqual(details)

  const me = await app.http.inject({ url: '/api/owners/me', headers: bearer })
  expect(me.json().owner).toMatchObject({ id: ownerId, email: registration.email, kycStatus: 'IN_REVIEW' })
})

test('what an older version wrote in plain is sealed, once and for all', async () => {
  const { ownerId } = await signIn(app.http)
  const { ownerId: untouched } = await signIn(app.http)
  await app.db.run(sql`
    update owners set legal_address = ${details.legalAddress}, city = ${details.city}, state = ${details.state},
      postal_code = ${details.postalCode}, country = ${details.country}, phone_number = ${details.phoneNumber},
      ein = ${details.ein}
    where id = ${ownerId}`)
  expect(await found()).toEqual(Object.values(details))

  await app.queue.runTicks(['seal-personal-data'])
  expect(await found()).toEqual([])
  expect(await opened(ownerId)).toEqual(details)
  const sealedOf = (id: string) => app.db.one(sql`select sealed_details from owners where id = ${id}`)
  const sealed = await sealedOf(ownerId)

  await app.queue.runTicks(['seal-personal-data'])
  expect(await sealedOf(ownerId)).toEqual(sealed)
  expect(await sealedOf(untouched)).toEqual({ sealedDetails: null })

  // A process of the version before still runs beside this one, and its owner moves.
  await app.db.run(sql`update owners set city = 'Sparrowtown', country = 'Canaria' where id = ${ownerId}`)
  await app.queue.runTicks(['seal-personal-data'])
  expect(await opened(ownerId)).toMatchObject({ city: 'Sparrowtown', legalAddress: null })
})
