/**
 * Test files with a worker process of their own: they replace a module with `vi.mock`, or load it again with `vi.resetModules`, which every
 * later file of the worker would see, and which needs Vite to transform what imports it. All others share the modules of a worker
 * (docs/testing.md).
 */
export const ISOLATED_TESTS = [
  'server/features/connections/sign-in/oauth-fields.test.ts',
  'server/features/connections/subscriptions/subscriptions.test.ts',
  'server/features/insights/grouping/states-vectors.test.ts',
  'server/features/settings/new-field.test.ts',
  'server/features/syncs/tracker-events.test.ts',
  'web/features/accounts/session.test.ts',
  'web/features/client/hosted-client.test.ts',
  'web/ui/text/moment.test.ts',
]

/** Test files that replace the same module by the same, the trackers of `withTestTrackers`, and nothing else: they share workers with each other. */
export const TRACKER_TESTS = [
  'server/features/deliveries/preview/preview.test.ts',
  'server/features/deliveries/trackers/push.test.ts',
  'server/features/deliveries/trackers/renewed-create.test.ts',
  'server/features/deliveries/trackers/status.test.ts',
  'server/features/deliveries/trackers/titles.test.ts',
]
