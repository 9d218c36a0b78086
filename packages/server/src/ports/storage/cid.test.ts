import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalCid } from './cid.ts'

const raw = 'bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am'
const versionZero = 'QmZULkCELmmk5XNfCgTnCyFgAVxBRBXyDHGGMVoLFLiXEN'
const sameAsVersionOne = 'bafybeiffndsajwhk3lwjewwdxqntmjm4b5wxaaanokonsggenkbw6slwk4'
const sha512 =
  'bafkrgqhhyivzstcz3hhswshfjgy6ertgmnqeleynhwt4dlfsthi4hn7zgh4uvlsb5xncykzapi3ocd4lzogukir6ksdy6wzrnz6ohnv4aglcs'

test('files have one spelling, and only SHA-256 names a file', () => {
  expect(canonicalCid(raw)).toBe(raw)
  expect(canonicalCid(versionZero)).toBe(sameAsVersionOne)
  expect(canonicalCid(sha512)).toBeUndefined()
  const others = ['', 'b', 'hello', `${raw}x`, raw.slice(0, -1), ` ${raw}`, `${raw}/a`, `ipfs://${raw}`]
  for (const text of [...others, 'b'.repeat(5000)])
    expect([text, canonicalCid(text)]).toEqual([text, undefined])
})

test('whatever the text, the spelling is plain letters and digits or nothing', () => {
  const near = fc
    .tuple(fc.nat(raw.length), fc.string({ maxLength: 3 }))
    .map(([at, noise]) => raw.slice(0, at) + noise + raw.slice(at))
  fc.assert(
    fc.property(fc.oneof(fc.string(), near), (text) => {
      const spelling = canonicalCid(text)
      expect(spelling === undefined || /^b[a-z2-7]{58}$/.test(spelling)).toBe(true)
    }),
    { seed: 20_261_115, numRuns: 2000 },
  )
})
