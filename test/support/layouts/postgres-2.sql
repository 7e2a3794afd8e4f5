CREATE SCHEMA layout_file;
CREATE TABLE layout_file.pages (
    id bigint NOT NULL,
    version bigint NOT NULL,
    slug text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    level bigint DEFAULT 0 NOT NULL,
    sticky boolean DEFAULT false NOT NULL,
    tags text DEFAULT '[]'::text NOT NULL COLLATE pg_catalog."C",
    title text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    body text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    extra text DEFAULT 'null'::text NOT NULL COLLATE pg_catalog."C",
    "title:folded" text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    "body:folded" text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE layout_file."pages:tags" (
    value bigint NOT NULL,
    record bigint NOT NULL
);
CREATE TABLE layout_file."store:collections" (
    collection text NOT NULL COLLATE pg_catalog."C",
    revision bigint DEFAULT 0 NOT NULL,
    last_id bigint DEFAULT 0 NOT NULL
);
CREATE TABLE layout_file."store:layout" (
    version bigint NOT NULL,
    shape text NOT NULL
);
CREATE UNLOGGED TABLE layout_file."store:life" (
    id bigint NOT NULL
);
INSERT INTO layout_file.pages VALUES (1, 1, 'page-0', 0, false, '[0,7]', 'Élan 0', 'Straße 0', '{"a":[0]}', 'elan 0', 'straße 0');
INSERT INTO layout_file.pages VALUES (3, 1, 'page-2', 2, true, '[2,7]', 'Élan 2', 'Straße 2', '{"a":[2]}', 'elan 2', 'straße 2');
INSERT INTO layout_file.pages VALUES (5, 1, 'page-4', 4, false, '[4,7]', 'Élan 4', 'Straße 4', '{"a":[4]}', 'elan 4', 'straße 4');
INSERT INTO layout_file.pages VALUES (2, 2, 'page-1', 1, false, '[1,7]', 'Changed', 'Straße 1', '{"a":[1]}', 'changed', 'straße 1');
INSERT INTO layout_file."pages:tags" VALUES (0, 1);
INSERT INTO layout_file."pages:tags" VALUES (7, 1);
INSERT INTO layout_file."pages:tags" VALUES (1, 2);
INSERT INTO layout_file."pages:tags" VALUES (7, 2);
INSERT INTO layout_file."pages:tags" VALUES (2, 3);
INSERT INTO layout_file."pages:tags" VALUES (7, 3);
INSERT INTO layout_file."pages:tags" VALUES (4, 5);
INSERT INTO layout_file."pages:tags" VALUES (7, 5);
INSERT INTO layout_file."store:collections" VALUES ('store:life', 0, 0);
INSERT INTO layout_file."store:collections" VALUES ('pages', 2, 5);
INSERT INTO layout_file."store:layout" VALUES (2, '[["pages",[{"name":"slug","field":"slug","type":"text","folded":false},{"name":"level","field":"level","type":"integer","folded":false},{"name":"sticky","field":"sticky","type":"boolean","folded":false},{"name":"tags","field":"tags","type":"integers","folded":false},{"name":"title","field":"title","type":"text","folded":false},{"name":"body","field":"body","type":"text","folded":false},{"name":"extra","field":"extra","type":"json","folded":false},{"name":"title:folded","field":"title","type":"text","folded":true},{"name":"body:folded","field":"body","type":"text","folded":true}],[{"name":"pages:tags","field":"tags","type":"integer"}],[{"name":"pages:3e71f4e8ec6a","table":"pages","fields":["slug"],"columns":["slug"],"texts":["slug"],"unique":true,"except":{"slug":""}},{"name":"pages:ab1c64d115fe","table":"pages","fields":["level","title"],"columns":["level","title:folded","title"],"texts":["title:folded","title"],"unique":false,"except":null}]]]');
INSERT INTO layout_file."store:life" VALUES (0);
ALTER TABLE ONLY layout_file.pages
    ADD CONSTRAINT "pages:id" PRIMARY KEY (id);
ALTER TABLE ONLY layout_file."store:collections"
    ADD CONSTRAINT "store:collections_pkey" PRIMARY KEY (collection);
CREATE UNIQUE INDEX "pages:3e71f4e8ec6a" ON layout_file.pages USING btree ("left"(slug, 150), (
CASE
    WHEN (length(slug) < 150) THEN ''::text
    ELSE md5(slug)
END)) WHERE (NOT (slug = ''::text));
CREATE INDEX "pages:ab1c64d115fe" ON layout_file.pages USING btree (level, "left"("title:folded", 150), "left"(title, 150));
CREATE INDEX "pages:tags_record_value_idx" ON layout_file."pages:tags" USING btree (record, value);
CREATE INDEX "pages:tags_value_record_idx" ON layout_file."pages:tags" USING btree (value, record);
CREATE INDEX "text-index:pages:e3ac01bf9be6" ON layout_file.pages USING gin ("title:folded" public.gin_trgm_ops, "body:folded" public.gin_trgm_ops) WITH (gin_pending_list_limit='256');
