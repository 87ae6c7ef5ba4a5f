-- True: nobody asked for this delivery, it was added because its insight reached the threshold. False where that is not known, as with those that an
-- earlier version added: it is sent in any case.
alter table delivery add column automatic boolean not null default false;
