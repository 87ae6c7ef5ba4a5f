-- What a delivery left out although it arrived, as text for people, such as a comment that the sign-in may not write. Null: nothing.
alter table delivery add column notice text;
