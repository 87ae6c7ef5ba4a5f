import { runFailovers } from '../failover.ts'

// The primary's cable is pulled, and plugged in again once the other machine has taken over.

await runFailovers('failover-cable', {
  strike: (cluster, primary) => cluster.network.cut(primary),
  undo: (cluster, primary) => cluster.network.join(primary),
})
