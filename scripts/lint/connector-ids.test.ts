import { expect, test } from 'vitest'
import { misplacedId } from './connector-ids.ts'
import { lint } from './testing.ts'

test.each([
  ['web/features/connections/integrations-page.tsx', 'slack'],
  ['web/features/connections/tile-state.ts', 'webhook'],
  ['web/features/connections/oauth-code.ts', './slack.ts'],
  ['web/features/deliveries/held-banner.tsx', 'Push to Jira'],
  ['web/app/router.tsx', '/api/teams/test'],
  ['web/features/connections/slack.ts', 'zendesk'],
  ['server/features/connections/view.ts', "select id from connection where connector = 'linear'"],
  ['contract/connections.ts', 'helpscout'],
  ['connectors/kit/http/http.ts', 'https://api.github.com'],
])('%s may not say %j', (file, text) => {
  expect(misplacedId(file, text)).toMatch(/only its own folder and connectors\/index\.ts may name the connector \w+/)
})

test.each([
  ['connectors/index.ts', './slack/index.ts'],
  ['connectors/linear/push.ts', 'https://api.linear.app'],
  ['connectors/file/presets/presets.ts', 'zendesk'],
  ['connectors/sandbox/slack/web-api.ts', 'slack'],
  ['web/features/connections/spec-tiles.tsx', 'clickup'],
  ['web/features/connections/slack.ts', 'Slack is not set up'],
  ['web/features/insights/filters/filter.test.ts', 'slack'],
  ['web/features/support/widgets.ts', 'https://widget.intercom.io/widget/'],
  ['web/features/insights/panel/quote.ts', 'several teams send a file by a linear webhook'],
])('%s may say %j', (file, text) => {
  expect(misplacedId(file, text)).toBeNull()
})

test('the linter itself reports a string, a template and a text on the screen', async () => {
  const source = 'export const id = "jira"\nexport const path = `/api/jira/test`\nexport const note = <p>Jira</p>\n'
  const output = await lint('web/features/connections/planted-name.tsx', source)
  expect(output.match(/planted-name\.tsx:\d+:\d+: .*the connector jira/g)).toHaveLength(3)
})
