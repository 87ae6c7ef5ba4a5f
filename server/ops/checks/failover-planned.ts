import { runFailovers } from '../failover.ts'

// The primary is exchanged as planned, for maintenance for example.

await runFailovers('failover-planned', {
  strike: (cluster, primary) => cluster.switchOver(primary),
  undo: () => undefined,
})
