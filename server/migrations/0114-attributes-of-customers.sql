-- Attributes of customers, which 0111 left: their names and values, by the same rule (contract/name.ts), workspace by workspace. What has nothing left
-- is no attribute.
create function name_without_controls(name text) returns text language sql immutable as $$
  select btrim(
    regexp_replace(
      regexp_replace(name, '[\t\n\v\f\r\u0085\u2028\u2029]+', ' ', 'g'),
      '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]', '', 'g'),
    E' \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\ufeff')
$$;

do $$
declare
  controls constant text := '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]';
  one uuid;
begin
  for one in select workspace_id from workspace loop
    perform set_config('groundswell.workspace', one::text, true);
    update customer set attributes = (
        select coalesce(jsonb_object_agg(said.name, said.value) filter (where said.name <> '' and said.value <> ''), '{}')
        from (
          select case when key ~ controls then name_without_controls(key) else key end as name,
            case when value ~ controls then name_without_controls(value) else value end as value
          from jsonb_each_text(attributes) order by key ~ controls desc
        ) said)
      where workspace_id = one and exists (select from jsonb_each_text(attributes) where key ~ controls or value ~ controls);
  end loop;
  perform set_config('groundswell.workspace', '', true);
end $$;

drop function name_without_controls(text);
