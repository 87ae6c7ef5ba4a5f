import pg from 'pg'

/** Relations of the product, without the list of migrations, which belongs to the code that applies them. */
const relations = `
  relation as (
    select oid, relname as name, relkind, relacl, relowner, relrowsecurity, relforcerowsecurity from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and relname not in ('migration')
  )`

const owners = `
  select name || ' is a ' || case relkind when 'r' then 'table' when 'S' then 'sequence' else relkind::text end
    || case when pg_get_userbyid(relowner) = current_user then '' else ' of somebody else' end
    || case when relrowsecurity then ' with row-level security' else '' end
    || case when relforcerowsecurity then ', forced' else '' end
    || coalesce('; ' || (
      select string_agg(who || ' may ' || rights, ', ' order by who) from (
        select grantee::regrole::text as who, string_agg(lower(privilege_type), ' ' order by privilege_type) as rights
        from aclexplode(relacl) where grantee <> relowner group by 1) granted), '') as line
  from relation`

const columns = `
  select name || ' columns: ' || string_agg(
    attname || ' ' || format_type(atttypid, atttypmod) || case when attnotnull then ' not null' else '' end
      || coalesce(' default ' || pg_get_expr(adbin, adrelid), '')
      || case attidentity when '' then '' when 'a' then ' always an identity' else ' identity ' || attidentity::text end
      || case when attstorage = typstorage then '' else ' storage ' || attstorage::text end
      || coalesce(' granted ' || attacl::text, ''), ', ' order by attname)
  from relation join pg_attribute on attrelid = relation.oid join pg_type on pg_type.oid = atttypid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attnum > 0 and not attisdropped and relkind <> 'S' group by name`

const constraints = `
  select name || ' constraint ' || conname || ': ' || pg_get_constraintdef(pg_constraint.oid)
  from relation join pg_constraint on conrelid = relation.oid where contype <> 'n'`

/** Without the indexes of keys, which their constraints imply. */
const indexes = `
  select name || ' index: ' || pg_get_indexdef(indexrelid)
  from relation join pg_index on indrelid = relation.oid
  where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))`

const triggers = `
  select name || ' trigger: ' || pg_get_triggerdef(pg_trigger.oid) || case tgenabled when 'O' then '' else ' ' || tgenabled::text end
  from relation join pg_trigger on tgrelid = relation.oid where not tgisinternal`

const policies = `
  select name || ' policy ' || polname || case when polpermissive then '' else ', restrictive,' end
    || case polcmd when '*' then '' when 'r' then ' for select' when 'a' then ' for insert' else ' for ' || polcmd::text end
    || ' to ' || (select string_agg(case when role = 0 then 'all' when role::regrole::text = quote_ident(current_user) then 'the owner'
      else role::regrole::text end, ' ') from unnest(polroles) role)
    || coalesce(': using ' || pg_get_expr(polqual, polrelid), '') || coalesce(': check ' || pg_get_expr(polwithcheck, polrelid), '')
  from relation join pg_policy on polrelid = relation.oid`

/** The body of a function is represented by a hash of its text. */
const functions = `
  select 'function ' || proname || '(' || pg_get_function_arguments(pg_proc.oid) || ') returns ' || pg_get_function_result(pg_proc.oid)
    || ' in ' || lanname || case when prosecdef then ' as its owner' else '' end
    || case provolatile when 's' then ' stable' when 'i' then ' immutable' else '' end || coalesce(' set ' || proconfig::text, '')
    || case when pg_get_userbyid(proowner) = current_user then '' else ' of somebody else' end
    || '; for ' || coalesce((select string_agg(case grantee when 0 then 'all' when proowner then 'the owner' else grantee::regrole::text end,
      ' ' order by grantee <> proowner, grantee) from aclexplode(proacl)), 'all')
    || '; ' || left(md5(prosrc), 12)
  from pg_proc join pg_language on pg_language.oid = prolang where pronamespace = 'public'::regnamespace`

const question = `with ${relations} select line from (
  ${[owners, columns, constraints, indexes, triggers, policies, functions].join(' union all ')}
) found order by line collate "C"`

/**
 * Everything in which statements can tell two databases apart: tables, columns, defaults, constraints, indexes, triggers, policies,
 * functions, rights and owners, one per line, in a fixed order. The order of columns is left out.
 */
export async function readCatalog(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ line: string }>(question)
    return rows.map((row) => row.line)
  } finally {
    await client.end()
  }
}
