-- Owner: server/features/feedback. Test: server/features/insights/search/every-script.test.ts.

-- A text as it is compared: in lower case, without accents, letters of full and half width as one, ß as ss. Texts in ASCII, which are the most, need
-- no more than lower case. contract/fold-text.ts does the same.
create or replace function search_fold(of_text text) returns text
  language plpgsql immutable parallel safe
  as $$
  begin
    if octet_length(of_text) = char_length(of_text) then
      return lower(of_text);
    end if;
    return translate(replace(replace(replace(
      lower(normalize(regexp_replace(normalize(translate(of_text, '™℠©®', '    '), nfkd), '[\u0300-\u036f\u00ad\u200b\u2060\ufeff]+', '', 'g'), nfkc)),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđħıς', 'oldhiσ');
  end $$;

-- The characters of a folded text that are written without spaces between words: Thai, Lao, Myanmar, Khmer, Chinese, Japanese, Korean, whose
-- particles follow words without a space, and emoji. A space is between any two that are not adjacent.
create or replace function search_unspaced(folded text) returns text
  language sql immutable parallel safe
  as $$
    select pg_catalog.btrim(pg_catalog.regexp_replace(folded,
      '[^\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109d\u1100-\u11ff\u1780-\u17d3\u231a-\u23ff\u2600-\u27bf\u2b00-\u2bff\u3005-\u3007\u3041-\u3096\u3099-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003fffd]+',
      ' ', 'g'))
  $$;

-- The rest of a folded text, with spaces for these characters and for punctuation.
create or replace function search_spaced(folded text) returns text
  language sql immutable parallel safe
  as $$
    select pg_catalog.regexp_replace(folded,
      '[][!-/:-@\\^_`{-~\u00a1-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u2010-\u2027\u2030-\u205e\u2190-\u2bff\u3000-\u303f\u30fb\ufe00-\ufe0f\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109d\u1100-\u11ff\u1780-\u17d3\u3041-\u3096\u3099-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003fffd]+',
      ' ', 'g')
  $$;

-- The words of a text as they are searched; of characters without spaces, each with its next one, so that a word is found anywhere in them.
create or replace function search_lexemes(of_workspace uuid, of_text text) returns setof text
  language sql immutable parallel safe
  as $$
    select pg_catalog.left(of_workspace::text, 4) || pg_catalog.left(found.word, 64)
    from (select search_fold(pg_catalog.left(of_text, 20000)) as folded offset 0) given
    cross join lateral (
      select lexeme as word from pg_catalog.unnest(pg_catalog.to_tsvector('pg_catalog.simple'::regconfig, search_spaced(given.folded)))
      union all
      select here || pg_catalog.btrim(coalesce(next, ''))
      from (
        select case when pg_catalog.octet_length(given.folded) > pg_catalog.char_length(given.folded) then search_unspaced(given.folded) end as run offset 0
      ) unspaced
      cross join lateral rows from (
        pg_catalog.unnest(pg_catalog.string_to_array(run, null)), pg_catalog.unnest(pg_catalog.string_to_array(pg_catalog.substr(run, 2), null))
      ) as pair (here, next)
      where here <> ' '
    ) found
  $$;

-- All of these words, and one that starts with each of `starting`; null when there is no word in either. A single character without spaces around it
-- may be followed by others. Words that were stored before other scripts were searched are the second choice.
create or replace function search_query(of_workspace uuid, words text, starting text) returns tsquery
  language sql immutable parallel safe
  as $$
    with asked as (
      select left(given.typed, 20000) as typed, search_fold(left(given.typed, 20000)) as folded, given.ending
      from (values (words, ''), (starting, ':*')) given (typed, ending)
    ), lexemes as (
      select true as is_current, lexeme, ending from asked, unnest(to_tsvector('pg_catalog.simple'::regconfig, search_spaced(folded)))
      union
      select true, here || btrim(coalesce(next, '')), case when coalesce(next, ' ') = ' ' then ':*' else '' end
      from asked, unnest(
        string_to_array(' ' || search_unspaced(folded), null), string_to_array(search_unspaced(folded), null), string_to_array(substr(search_unspaced(folded), 2), null)
      ) as trio (before, here, next)
      where here <> ' ' and (before = ' ' or coalesce(next, ' ') <> ' ')
      union
      select false, lexeme, ending from asked, unnest(to_tsvector('pg_catalog.simple'::regconfig,
        regexp_replace(typed, '[][!-/:-@\\^_`{-~‘’“”„«»–—…·]+', ' ', 'g')))
    ), queries as (
      select is_current, string_agg(
        '''' || replace(replace(left(of_workspace::text, 4) || left(lexeme, 64), '\', '\\'), '''', '''''') || '''' || ending, ' & ' order by lexeme, ending
      )::tsquery as query
      from lexemes group by is_current
    )
    select coalesce(case when current.query <> earlier.query then current.query || earlier.query end, current.query, earlier.query)
    from (select) one
    left join queries current on current.is_current
    left join queries earlier on not earlier.is_current
  $$;
