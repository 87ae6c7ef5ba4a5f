/** `minutes`: a check that takes longer is stopped and has failed. */
type Check = { name: string; about: string; minutes: number }

/** The checks; each is the script `checks/<name>.ts`. */
export const checks: readonly Check[] = [
  { name: 'restore', about: 'a good backup restores 20 of 20 times at 0, 40 and 200 ms', minutes: 60 },
  { name: 'restore-large', about: 'a backup of 1 GB restores', minutes: 120 },
  { name: 'bad-backups', about: 'a bad file is refused in one sentence and changes nothing', minutes: 10 },
  { name: 'scheduled-backups', about: 'the private database is backed up daily, a full disk included', minutes: 15 },
  { name: 'pgbackrest', about: 'full backup, WAL archiving and point-in-time restore, as documented', minutes: 15 },
  { name: 'stale-listener', about: 'a process that is cut off serves no old list for longer than 20 s', minutes: 15 },
  { name: 'network-cut', about: 'after a network cut everything works again without help', minutes: 30 },
  { name: 'frozen-worker', about: 'a worker frozen in a transaction blocks nobody for longer than 30 s', minutes: 20 },
  {
    name: 'affinity',
    about: '1,000 active workspaces on 4 workers: at most 1 cold start per 10 jobs; killed workers',
    minutes: 40,
  },
  { name: 'unavailable', about: 'a database that is down, full, read-only or busy is a 503, never a 500', minutes: 15 },
  { name: 'failover-planned', about: 'a planned switchover of the database loses nothing', minutes: 30 },
  { name: 'failover-killed', about: 'the primary is killed: nothing is lost, writes within 10 s', minutes: 30 },
  { name: 'failover-cable', about: 'the primary loses its network', minutes: 30 },
  { name: 'failover-frozen', about: 'the primary freezes and comes back', minutes: 30 },
  { name: 'rolling', about: 'API processes behind HAProxy are replaced under load: no call fails', minutes: 20 },
  { name: 'container', about: 'the documented Containerfile and compose file, built and run', minutes: 30 },
  { name: 'https', about: 'nginx and Caddy with the documented configurations', minutes: 10 },
  { name: 'side-by-side', about: 'the version before the newest migration works beside this one', minutes: 30 },
  { name: 'unreplicated', about: 'what a standby has not confirmed is not acknowledged', minutes: 10 },
  { name: 'monitoring', about: 'metrics, alerts and the dashboard under Prometheus; a loop that hangs', minutes: 15 },
  { name: 'role', about: 'no process works as another role than its own', minutes: 10 },
  { name: 'systemd', about: 'systemd accepts the documented units', minutes: 5 },
  { name: 'pooling', about: 'PgBouncer in transaction mode: isolation, connections, limits', minutes: 20 },
  {
    name: 'counts',
    about: 'one message into an insight of 100,000 mentions costs the database at most 10 ms',
    minutes: 20,
  },
  { name: 'growth', about: 'from 100,000 to a million rows a row costs about as much as before', minutes: 120 },
  { name: 'pollers', about: '200 browsers poll a list that changes every 2 s', minutes: 15 },
  { name: 'idle-workspaces', about: '10,000 idle workspaces cost at most a tenth of a core', minutes: 60 },
  { name: 'event-loop', about: 'no call keeps the event loop busy for more than 100 ms', minutes: 60 },
  { name: 'bad-files', about: 'a line of 600 MiB and a file of 2 GiB are refused early', minutes: 20 },
]
