import { describe, expect, test } from 'vitest'
import { violationOf } from './packages.ts'
import { lint } from './testing.ts'

describe('who may import whom', () => {
  test.each([
    ['web/features/insights/page.tsx', '@groundswell/server/app.ts'],
    ['web/features/insights/page.tsx', '@groundswell/connectors/index.ts'],
    ['web/features/insights/page.tsx', '../settings/form.tsx'],
    ['web/ui/button.tsx', '@groundswell/contract/insights.ts'],
    ['web/ui/button.tsx', '../features/insights/index.ts'],
    ['engine/clustering/assign.ts', 'node:fs'],
    ['engine/clustering/assign.ts', '@groundswell/encoder/index.ts'],
    ['encoder/forward.ts', '@groundswell/engine/index.ts'],
    ['server/platform/encoder/process.ts', '@groundswell/encoder/forward.ts'],
    ['server/features/insights/routes.ts', '@groundswell/encoder/index.ts'],
    ['engine/clustering/assign.ts', '@groundswell/server/platform/db/database.ts'],
    ['contract/insights.ts', 'node:crypto'],
    ['contract/insights.ts', '@groundswell/engine/index.ts'],
    ['connectors/linear/push.ts', '../github/client.ts'],
    ['connectors/linear/push.ts', '@groundswell/server/platform/db/database.ts'],
    ['connectors/kit/http/http.ts', '../../webhook/push.ts'],
    ['server/platform/db/database.ts', '../../features/insights/index.ts'],
    ['server/features/insights/routes.ts', '../feedback/store.ts'],
    ['server/features/insights/routes.ts', '@groundswell/connectors/sandbox/index.ts'],
    ['server/features/accounts/routes.ts', '../../auth/sessions/store.ts'],
    ['server/features/accounts/accounts.test.ts', '../../auth/sessions/store.ts'],
    ['server/api.ts', './auth/sessions/authenticate.ts'],
    ['server/auth/sessions/authenticate.ts', '../../features/accounts/index.ts'],
    ['server/auth/record-audit.ts', '../features/audit/store.ts'],
    ['server/platform/http/create.ts', '../../auth/index.ts'],
    ['server/platform/http/create.ts', '@groundswell/contract/insights.ts'],
    ['server/features/insights/routes.ts', '@groundswell/engine/clustering/leiden.ts'],
    ['server/api.ts', '@groundswell/connectors/sandbox/index.ts'],
    ['server/features/insights/routes.ts', '../../../contract/insights.ts'],
    ['bench/product/report.ts', '@groundswell/engine/clustering/leiden.ts'],
    ['server/features/deliveries/send.ts', '@opentelemetry/api'],
    ['server/platform/queue/queue.test.ts', '@opentelemetry/api'],
    ['engine/clustering/assign.ts', '@groundswell/fixtures/engine/feedback.ts'],
  ])('%s may not import %s', (file, specifier) => {
    expect(violationOf(file, specifier)).not.toBeNull()
  })

  test.each([
    ['web/features/insights/page.tsx', '@groundswell/contract/insights.ts'],
    ['web/ui/outside-link.tsx', '@groundswell/contract/values/web-address.ts'],
    ['web/features/insights/page.tsx', '../../ui/button.tsx'],
    ['web/features/insights/page.tsx', '../settings/index.ts'],
    ['engine/clustering/assign.ts', '../text/features.ts'],
    ['connectors/linear/push.ts', '../kit/http/http.ts'],
    ['connectors/linear/push.ts', '../connector.ts'],
    ['connectors/index.ts', './linear/index.ts'],
    ['server/features/insights/routes.ts', '../feedback/index.ts'],
    ['server/features/insights/routes.ts', '@groundswell/engine/index.ts'],
    ['server/features/insights/routes.ts', '../../platform/http/handle.ts'],
    ['server/platform/http/create.ts', '@groundswell/contract/errors.ts'],
    ['server/features/accounts/routes.ts', '../../auth/index.ts'],
    ['server/api.ts', './auth/index.ts'],
    ['server/auth/record-audit.ts', '../features/audit/index.ts'],
    ['server/auth/testing.ts', '../features/accounts/index.ts'],
    ['server/demo.ts', '@groundswell/connectors/sandbox/index.ts'],
    ['bench/product/report.ts', '../engine/machine.ts'],
    ['bench/engine/stream.ts', '@groundswell/engine/clustering/leiden.ts'],
    ['engine/clustering/assign.test.ts', '@groundswell/fixtures/engine/feedback.ts'],
  ])('%s may import %s', (file, specifier) => {
    expect(violationOf(file, specifier)).toBeNull()
  })
})

test('the linter itself refuses a forbidden import and a catch-all name', async () => {
  const source = "import { readFileSync } from 'node:fs'\n\nexport const read = readFileSync\n"
  const output = await lint('contract/utils.ts', source)
  expect(output).toContain('contract may not use the library node:fs')
  expect(output).toContain('the name is a catch-all')
})
