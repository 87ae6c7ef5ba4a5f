-- Names that 0107 left: what corrections keep for the history and for undo, what events and posts say who did something, the names of what is at
-- a provider, and the keys of customers. By the same rule (contract/name.ts), workspace by workspace.
create function name_without_controls(name text) returns text language sql immutable as $$
  select btrim(
    regexp_replace(
      regexp_replace(name, '[\t\n\v\f\r\u0085\u2028\u2029]+', ' ', 'g'),
      '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]', '', 'g'),
    E' \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\ufeff')
$$;

-- The key of a name, in which blanks and full stops at the end do not count either.
create function key_without_controls(key text) returns text language sql immutable as $$
  select coalesce(nullif(btrim(regexp_replace(regexp_replace(name_without_controls(key), ' +', ' ', 'g'), '[ .,]+$', '')), ''), 'unnamed')
$$;

-- The texts under these keys, at any depth; null: under every key.
create function names_without_controls(document jsonb, keys text[]) returns jsonb language plpgsql immutable as $$
begin
  case jsonb_typeof(document)
    when 'array' then
      return (select coalesce(jsonb_agg(names_without_controls(one, keys) order by place), '[]')
        from jsonb_array_elements(document) with ordinality as list (one, place));
    when 'object' then
      return (select coalesce(jsonb_object_agg(key, case
          when jsonb_typeof(value) <> 'string' then names_without_controls(value, keys)
          when (keys is null or key = any(keys))
            and value #>> '{}' ~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]' then to_jsonb(coalesce(nullif(name_without_controls(value #>> '{}'), ''), 'Unnamed'))
          else value end), '{}')
        from jsonb_each(document));
    else return document;
  end case;
end $$;

do $$
declare
  controls constant text := '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]';
  -- The same in the text of a document.
  written constant text := '\\(u00|[bfnrt])|[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]';
  unnamed constant text := 'Unnamed';
  names constant text[] := array['name', 'engine_name', 'team_status_by'];
  one uuid;
  found record;
  wanted text;
  same uuid;
begin
  for one in select workspace_id from workspace loop
    perform set_config('groundswell.workspace', one::text, true);
    update correction set
        request = names_without_controls(request, names), changes = names_without_controls(changes, names),
        found = names_without_controls(correction.found, names), made = names_without_controls(made, names)
      where workspace_id = one and concat_ws(' ', request, changes, correction.found, made) ~ written;
    update correction set person = coalesce(nullif(name_without_controls(person), ''), unnamed)
      where workspace_id = one and person ~ controls;
    update correction set undone_by = coalesce(nullif(name_without_controls(undone_by), ''), unnamed)
      where workspace_id = one and undone_by ~ controls;
    update insight_event set detail = names_without_controls(detail, null)
      where workspace_id = one and exists (select from jsonb_each_text(detail) where value ~ controls);
    update insight set team_status_by = coalesce(nullif(name_without_controls(team_status_by), ''), unnamed)
      where workspace_id = one and team_status_by ~ controls;
    update insight set engine_name = coalesce(nullif(name_without_controls(engine_name), ''), unnamed)
      where workspace_id = one and engine_name ~ controls;

    update remote_item set label = coalesce(nullif(name_without_controls(label), ''), remote_id, unnamed)
      where workspace_id = one and label ~ controls;
    update remote_item set state_name = nullif(name_without_controls(state_name), '')
      where workspace_id = one and state_name ~ controls;
    update connection set chosen = names_without_controls(chosen, array['label']) where workspace_id = one and chosen::text ~ written;
    update post_channel set label = coalesce(nullif(name_without_controls(label), ''), channel) where workspace_id = one and label ~ controls;
    update post_channel set set_by = coalesce(nullif(name_without_controls(set_by), ''), unnamed)
      where workspace_id = one and set_by ~ controls;
    update post set posted_by = coalesce(nullif(name_without_controls(posted_by), ''), unnamed)
      where workspace_id = one and posted_by ~ controls;
    update told_person set told_by = coalesce(nullif(name_without_controls(told_by), ''), unnamed)
      where workspace_id = one and told_by ~ controls;

    -- Two customers may become one: the messages of the other go to it, and what a list said of it where no list says more.
    for found in select * from customer where workspace_id = one and (key ~ controls or name_key ~ controls) order by id loop
      wanted := case when found.key like 'name:%' then 'name:' || key_without_controls(substr(found.key, 6))
        else key_without_controls(found.key) end;
      select id into same from customer where workspace_id = one and key = wanted and id <> found.id;
      if same is null then
        update customer set key = wanted, name_key = key_without_controls(name_key) where workspace_id = one and id = found.id;
      else
        update customer set listed = true, name = found.name, name_key = key_without_controls(found.name_key),
            plan = coalesce(found.plan, plan), revenue = coalesce(found.revenue, revenue), region = coalesce(found.region, region),
            attributes = found.attributes, listed_fields = found.listed_fields
          where workspace_id = one and id = same and found.listed and not listed;
        update feedback_customer set customer_id = same where workspace_id = one and customer_id = found.id;
        update digest_choice set watched_customers = array_replace(array_remove(watched_customers, same), found.id, same)
          where workspace_id = one and found.id = any(watched_customers);
        update post_channel set watched_customers = array_replace(array_remove(watched_customers, same), found.id, same)
          where workspace_id = one and found.id = any(watched_customers);
        delete from customer where workspace_id = one and id = found.id;
      end if;
      -- Messages of those are looked at again.
      insert into customer_fill (workspace_id) values (one) on conflict (workspace_id) do update set after_id = 0;
    end loop;
    update customer set plan = nullif(name_without_controls(plan), '') where workspace_id = one and plan ~ controls;
    update customer set region = nullif(name_without_controls(region), '') where workspace_id = one and region ~ controls;
  end loop;
  perform set_config('groundswell.workspace', '', true);
end $$;

drop function names_without_controls(jsonb, text[]);
drop function key_without_controls(text);
drop function name_without_controls(text);
