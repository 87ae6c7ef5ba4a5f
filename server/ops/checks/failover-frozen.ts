import { runFailovers } from '../failover.ts'

// The primary's machine is frozen, as when a virtual machine is paused, and resumes later where it stopped.

await runFailovers('failover-frozen', {
  strike: (cluster, primary) => cluster.signal(primary, 'SIGSTOP'),
  undo: (cluster, primary) => cluster.signal(primary, 'SIGCONT'),
})
