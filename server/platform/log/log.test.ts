import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { proves } from '../proves.ts'
import { createLog, type Log } from './log.ts'

function collect(): { log: Log; text: () => string } {
  let text = ''
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  return { log: createLog({ logLevel: 'info', destination }), text: () => text }
}

test('secrets are blotted out under their usual names, at every depth that we log', () => {
  const { log, text } = collect()
  log.info({ password: 'hunter2', request: { headers: { authorization: 'Bearer hunter2', cookie: 'hunter2' } } }, 'a')
  log.info({ settings: { client_token: 'hunter2', more: { deep: { token: 'hunter2' } } }, secret: 'hunter2' }, 'b')
  log.child({ part: 'x' }).info({ body: { refresh_token: 'hunter2', apiKey: 'hunter2' } }, 'c')
  expect(text()).not.toContain('hunter2')
  expect(text().match(/\[redacted\]/g)).toHaveLength(8)
})

test('a line is JSON with its level in words and the time in UTC; what is below the level is not written', () => {
  proves('16.2.2', '16.2.4')
  const { log, text } = collect()
  log.debug('not this')
  log.info({ job: 'x' }, 'this')
  const line = JSON.parse(text()) as Record<string, unknown>
  expect(line).toMatchObject({ level: 'info', job: 'x', msg: 'this' })
  expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
})

test('an entry is one line of JSON, whatever is in it', () => {
  proves('16.4.1')
  const { log, text } = collect()
  const forged = 'x\n{"level":"info","msg":"forged"}\r\u2028\u0000"'
  log.info({ path: forged, [forged]: 1 }, forged)
  expect(text().trimEnd().split('\n')).toHaveLength(1)
  expect(JSON.parse(text())).toMatchObject({ path: forged, msg: forged })
})
