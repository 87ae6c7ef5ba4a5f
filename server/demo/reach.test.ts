import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { readConfig } from '../platform/config/config.ts'
import { refuseReach } from './reach.ts'

it.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])('the demo listens on %s', (HOST) => {
  expect(() => refuseReach(readConfig({ HOST }))).not.toThrow()
})

it.each(['0.0.0.0', '::', '192.168.1.5', 'demo.example.com', '127.0.0.1.example.com', '::ffff:192.168.1.5'])(
  'the demo listens on %s only when DEMO_PUBLIC says so',
  (HOST) => {
    expect(() => refuseReach(readConfig({ HOST }))).toThrow('DEMO_PUBLIC')
    expect(() => refuseReach(readConfig({ HOST, DEMO_PUBLIC: '0' }))).toThrow('DEMO_PUBLIC')
    expect(() => refuseReach(readConfig({ HOST, DEMO_PUBLIC: '1' }))).not.toThrow()
  },
)

it('the demo does not use another port than the one that was chosen', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const demo = spawn(process.execPath, [path.join(import.meta.dirname, '../demo.ts')], {
    env: { ...process.env, PORT: String(port), ENCODER: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, [status]] = await Promise.all([text(demo.stderr), once(demo, 'exit'), text(demo.stdout)])
  expect(status).toBe(1)
  expect(said).toContain(`Port ${port} is taken. Set PORT to another one.`)
  taken.close()
})

it('the demo itself ends with words and starts nothing', async () => {
  const demo = spawn(process.execPath, [path.join(import.meta.dirname, '../demo.ts')], {
    env: { ...process.env, HOST: '0.0.0.0', PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, output, [status]] = await Promise.all([text(demo.stderr), text(demo.stdout), once(demo, 'exit')])
  expect([status, output]).toEqual([1, ''])
  expect(said.trim()).toMatch(/^The demo's password is known to everyone.*HOST=0\.0\.0\.0.*DEMO_PUBLIC=1/)
})
