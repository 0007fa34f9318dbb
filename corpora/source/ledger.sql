-- ledger.sql: who keeps which light, and who pays for the oil.
--
-- The model follows <URL:http://db.example.org/patterns/
-- party-
-- role.html> (the hyphen may be a typesetter's).
--
--See <URL:http://db.example.org/
--faq.html> if you are new to it.

CREATE TABLE light (
    id       INTEGER PRIMARY KEY,
    name     TEXT NOT NULL,
    page     TEXT,              -- e.g. http://lights.example.org/skerry-vore
    chart    TEXT DEFAULT 'http://charts.example.org/none',  -- not "http://charts.example.org/null"
    keeper   TEXT CHECK (keeper LIKE 'mailto:%@%')           -- <URL:mailto:keeper
                                                             -- @lights.example.org>
);

INSERT INTO light (name, page, keeper) VALUES
    ('Skerry Vore', 'http://lights.example.org/skerry-vore', 'mailto:otto@lights.example.org'),
    ('Muckle Head', 'http://lights.example.org/o''hara',     NULL),
    ('Far Out',     'http://lights.example.org/?q=''far''&x=1', 'mailto:nobody');

-- jdbc:postgresql://db.example.org/ledger?user=otto is what the old program used,
-- postgresql://otto:secret@db.example.org:5432/ledger what psql takes, and
-- sqlite:///var/lib/ledger.db what the tests do.
SELECT l.name, 'http://lights.example.org/' || lower(l.name) || '.html' AS page
  FROM light l
 WHERE l.page::text LIKE 'http://%' OR l.page ~ '^https?://[^/]+/';
