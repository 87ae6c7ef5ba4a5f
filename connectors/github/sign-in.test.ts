import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { failureFrom } from '../kit/testing.ts'
import { check } from './check.ts'
import { refresh, revoke } from './installation.ts'
import { manifest } from './manifest.ts'
import { installed, opened } from './testing.ts'
import { tracker } from './tracker.ts'

describe('a personal access token', () => {
  it('belongs to a person, and does not end', async () => {
    await using run = await opened()
    const signedIn = await check(run.context)
    expect(signedIn).toEqual({
      account: `user-${run.hub.person('ann').id}`,
      settings: { name: 'ann', login: 'ann', installation_id: null, server: null },
      secrets: { token: run.signIns.token },
    })
    expect(manifest.describe(signedIn.settings, {}).name).toBe('ann')
  })

  it('is refused by GitHub when it is not valid', async () => {
    await using run = await opened()
    run.signIns.end()
    expect(await failureFrom(check(run.context))).toMatchObject({ kind: 'auth' })
  })

  it.each([
    ['github_pat_11AAAAAAA0abcdefghijkl', true],
    [' ghp_abcdefghijklmnopqrstuvwxyz ', true],
    ['short', false],
    ['ghs_abcdefghijklmnopqrstuvwxyz', false],
    ['with a space in the middle of it', false],
    ['x'.repeat(513), false],
  ])('“%s” is accepted by the form: %s', (token, isAccepted) => {
    expect(manifest.form.safeParse({ token }).success).toBe(isAccepted)
  })

  it('is neither renewed nor revoked', async () => {
    await using run = await opened()
    expect(await failureFrom(refresh(run.context, null))).toMatchObject({ kind: 'auth' })
    await revoke(run.context)
    expect(run.calls).toEqual([])
    expect(await check(run.context)).toMatchObject({ settings: { login: 'ann' } })
  })
})

describe('renewing', () => {
  it('mints a token of the installation, also after the last one has ended', async () => {
    await using run = await installed()
    run.advance(3601)
    expect(await failureFrom(tracker.verify(run.context))).toMatchObject({ kind: 'auth' })
    const later = { ...run.context, now: () => new Date(Date.now() + 3_601_000) }
    const { secrets, expiresAt } = await refresh(later, run.app)
    expect(secrets).not.toEqual(run.context.secrets)
    expect(expiresAt?.getTime()).toBeGreaterThan(run.expiresAt?.getTime() ?? 0)
    expect(await tracker.verify({ ...run.context, secrets })).toContain('acme/support')
  })

  it.each([
    ['suspended', 'suspended on GitHub'],
    ['uninstalled', 'no longer installed'],
    ['without the permission', 'permission Issues: read and write'],
  ])('ends the sign-in where the app is %s, in plain words', async (how, message) => {
    await using run = await installed()
    if (how === 'suspended') run.suspend(run.installation)
    else if (how === 'uninstalled') run.uninstall(run.installation)
    else run.installation.issues = 'read'
    expect(await failureFrom(refresh(run.context, run.app))).toMatchObject({
      kind: 'auth',
      message: expect.stringContaining(message),
    })
  })

  it('waits for the right private key, and ends it without an app', async () => {
    await using run = await installed()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const private_key = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
    expect(await failureFrom(refresh(run.context, { ...run.app, private_key }))).toMatchObject({
      name: 'AppRefused',
      kind: 'unavailable',
      message: expect.stringContaining('private key'),
    })
    expect(await failureFrom(refresh(run.context, null))).toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('no longer set up'),
    })
  })

  it('is only postponed by a limit or an outage', async () => {
    // On a slow machine a second passes before the request, and the rest of the wait is shorter.
    vi.setSystemTime(Date.now())
    onTestFinished(() => void vi.useRealTimers())
    await using run = await installed()
    run.faults.arm('500')
    expect(await failureFrom(refresh(run.context, run.app))).toMatchObject({ kind: 'unavailable' })
    run.limits.secondary(90)
    expect(await failureFrom(refresh(run.context, run.app))).toMatchObject({ kind: 'rate-limited', retryAfter: 90 })
  })

  it('reports calls of a suspended installation as the end of its sign-in', async () => {
    await using run = await installed()
    run.suspend(run.installation)
    expect(await failureFrom(tracker.verify(run.context))).toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('suspended on GitHub'),
    })
  })
})

describe('disconnecting', () => {
  it('revokes the token and leaves the installation', async () => {
    await using run = await installed()
    expect(run.signIns.live()).toBe(1)
    await revoke(run.context)
    expect(run.signIns.live()).toBe(0)
    expect(run.signIns.installations).toHaveLength(1)
    await revoke(run.context)
  })

  it('is repeated after an outage, and over where there is nothing left', async () => {
    await using run = await installed()
    run.faults.arm('500')
    expect(await failureFrom(revoke(run.context))).toMatchObject({ kind: 'unavailable' })
    run.uninstall(run.installation)
    await revoke(run.context)
    await revoke({ ...run.context, secrets: {} })
  })
})
