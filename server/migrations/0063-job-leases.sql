-- Which worker has what a key's jobs need in memory: docs/decisions/0063-leases-of-keys.md. Not logged: after a crash or a failover the keys are
-- free, which costs one load each.

-- A worker takes jobs as long as `until` lies ahead.
create unlogged table job_worker (
  id uuid primary key,
  until timestamptz not null
);

create unlogged table job_lease (
  key text primary key,
  worker uuid not null references job_worker on delete cascade
);
create index job_lease_worker on job_lease (worker);

grant select, insert, update, delete on job_worker, job_lease to groundswell_app;
