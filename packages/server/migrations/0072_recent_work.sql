-- The first page shows the last works that clients were content with: found by walking along this index.
create index reviews_praised on reviews (created_at desc, id desc) where rating >= 4 and counted;
