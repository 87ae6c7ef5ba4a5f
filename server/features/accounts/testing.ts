import { vi } from 'vitest'
import { authenticate } from '../../auth/index.ts'
import type { TestApp, TestPerson } from '../../platform/http/testing.ts'
import { grantAdmin } from './index.ts'

/** Makes a person an admin. Who is one is remembered until the database announces a change, so this waits until calls with the person's token know it. */
export async function makeAdmin({ services }: Pick<TestApp, 'services'>, { email, token }: TestPerson): Promise<void> {
  await grantAdmin(services, email)
  const known = async () => {
    if (!(await authenticate(services)(token))?.isAdmin) throw new Error(`${email} is not an admin yet`)
  }
  await vi.waitFor(known, { timeout: 30_000, interval: 20 })
}
