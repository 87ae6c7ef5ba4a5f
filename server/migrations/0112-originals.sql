-- What a message was written in, where its text is not that: the HTML of a file or of a call (docs/decisions/0101-several-files-and-originals.md).
-- In the row of the message, so that it goes with it. Null: the text is the original, or the source has it.
alter table feedback_item add column original text;
alter table replaced_text add column original text;
