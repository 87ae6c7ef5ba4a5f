import { sql } from 'kysely'
import { DEAD_QUEUE } from './dead.ts'
import { QUEUE_SCHEMA } from './schema.ts'

const jobs = sql.id(QUEUE_SCHEMA, 'job_common')
const queues = sql.id(QUEUE_SCHEMA, 'queue')
const schedules = sql.id(QUEUE_SCHEMA, 'schedule')

/** Conditions that use the library's indexes of waiting and of running jobs, so that finished jobs, the most by far, are not read. */
const waiting = sql`state < 'active' and not blocked`

/**
 * Figures of the queue as rows (figure, kind, state, value), for a query with others: `jobs` by kind and state, to be added up (each kind has a
 * row, even without jobs), and `worker`: how many
 * seconds the jobs that are sent each minute have waited for a worker; null where none were ever scheduled, which workers do.
 */
export const queueFigures = sql`
  select 'jobs' as figure, name as kind, 'waiting' as state, 0::double precision as value
  from ${queues} where name <> ${DEAD_QUEUE}
  union all
  select 'jobs', name, case when start_after > now() then 'later' else 'waiting' end, count(*)
  from ${jobs} where ${waiting} and name <> ${DEAD_QUEUE} group by 2, 3
  union all
  select 'jobs', name, 'running', count(*) from ${jobs} where state = 'active' group by 2
  union all
  select 'jobs', coalesce(source_name, ''), 'failed', count(*)
  from ${jobs} where ${waiting} and name = ${DEAD_QUEUE} and state = 'created' group by 2
  union all
  select 'worker', '', '', (
    select min(seconds) from (
      select coalesce(extract(epoch from now() - min(start_after)), 0) as seconds
      from ${schedules} schedule
      left join ${jobs} job on job.name = schedule.name and ${waiting} and start_after <= now()
      where schedule.cron = '* * * * *'
      group by schedule.name, schedule.key
    ) each_minute
  )`
