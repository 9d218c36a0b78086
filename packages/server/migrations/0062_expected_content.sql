-- What an upload is about to keep: if the process dies between that and the end of the upload, the bytes are found by it.
alter table job_files add column expected_cid text;
