import { runFailovers } from '../failover.ts'

// The primary's machine crashes: Patroni and PostgreSQL are killed at once, and started again later.

await runFailovers('failover-killed', {
  strike: (cluster, primary) => cluster.signal(primary, 'SIGKILL'),
  undo: (cluster, primary) => cluster.startPatroni(primary),
})
