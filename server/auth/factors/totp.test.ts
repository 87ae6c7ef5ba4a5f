import { generate } from 'otplib'
import { describe, expect, it } from 'vitest'
import { acceptedStep, makeTotp } from './totp.ts'

/** The secret of RFC 6238, appendix B, and the last six digits of its SHA-1 codes. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
] as const

const at = (seconds: number) => new Date(seconds * 1000)

describe('a code', () => {
  it.each(vectors)('is right as RFC 6238 has it at %d', async (seconds, code) => {
    expect(await acceptedStep(RFC_SECRET, code, 0, at(seconds))).toBe(Math.floor(seconds / 30))
  })

  it('counts one step before and after its own, and no further', async () => {
    const code = await generate({ secret: RFC_SECRET, epoch: 3_000_000 })
    const steps = [-60, -31, -30, -1, 0, 29, 30, 59, 60].map((shift) =>
      acceptedStep(RFC_SECRET, code, 0, at(3_000_000 + shift)),
    )
    const own = 100_000
    expect(await Promise.all(steps)).toEqual([null, null, own, own, own, own, own, own, null])
  })

  it('counts once, and none of an earlier step after it', async () => {
    const now = 3_000_000
    const [before, code] = await Promise.all([now - 30, now].map((epoch) => generate({ secret: RFC_SECRET, epoch })))
    const step = await acceptedStep(RFC_SECRET, code ?? '', 0, at(now))
    expect(step).toBe(100_000)
    expect(await acceptedStep(RFC_SECRET, code ?? '', step ?? 0, at(now))).toBeNull()
    expect(await acceptedStep(RFC_SECRET, before ?? '', step ?? 0, at(now))).toBeNull()
    expect(await acceptedStep(RFC_SECRET, code ?? '', 200_000, at(now))).toBeNull()
  })

  it.each(['', '12345', '1234567', 'abcdef', '12 345', '１２３４５６', '-12345'])('is never %j', async (code) => {
    expect(await acceptedStep(RFC_SECRET, code, 0, at(59))).toBeNull()
  })
})

it('a new secret has 160 bits, and its URI names the account', () => {
  const one = makeTotp('Groundswell', 'ann+x@example.com')
  expect(one.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(makeTotp('Groundswell', 'ann@example.com').secret).not.toBe(one.secret)
  const uri = new URL(one.uri)
  expect(decodeURIComponent(uri.pathname)).toContain('Groundswell:ann+x@example.com')
  expect(uri.searchParams.get('secret')).toBe(one.secret)
  expect(one.qrCode).toMatch(/^<svg /)
})
