import { runFailovers } from '../failover.ts'

// A planned switchover of the primary, for example for maintenance.

await runFailovers('failover-planned', {
  strike: (cluster, primary) => cluster.switchOver(primary),
  undo: () => undefined,
})
