-- Requests and calls to providers are counted by hour, in the statement that writes them: the page
-- of the system's state counted a day of them each time that it was read.
CREATE TABLE request_counts (
  hour     timestamptz(3) NOT NULL,
  family   text NOT NULL,
  requests integer NOT NULL,
  rejected integer NOT NULL,
  failed   integer NOT NULL,
  PRIMARY KEY (hour, family)
) WITH (fillfactor = 50);

CREATE TABLE provider_call_counts (
  hour             timestamptz(3) NOT NULL,
  rail             text NOT NULL,
  calls            integer NOT NULL,
  failures         integer NOT NULL,
  last_answer_at   timestamptz(3),
  last_failure_at  timestamptz(3),
  failed_operation text,
  failed_status    integer,
  PRIMARY KEY (hour, rail)
) WITH (fillfactor = 50);

INSERT INTO request_counts (hour, family, requests, rejected, failed)
SELECT date_trunc('hour', at, 'UTC'), coalesce(substring(path FROM '^(?:/api)?(?:/payments)?/([a-z]+)'), 'other'), count(*),
  count(*) FILTER (WHERE status BETWEEN 400 AND 499), count(*) FILTER (WHERE status >= 500)
FROM request_records WHERE at >= now() - interval '25 hours' GROUP BY 1, 2;

INSERT INTO provider_call_counts
  (hour, rail, calls, failures, last_answer_at, last_failure_at, failed_operation, failed_status)
SELECT date_trunc('hour', at, 'UTC'), rail, count(*), count(*) FILTER (WHERE outcome IN ('failed', 'silent')),
  max(at) FILTER (WHERE outcome NOT IN ('failed', 'silent')), max(at) FILTER (WHERE outcome IN ('failed', 'silent')),
  (array_agg(operation ORDER BY at DESC) FILTER (WHERE outcome IN ('failed', 'silent')))[1],
  (array_agg(coalesce(status, 0) ORDER BY at DESC) FILTER (WHERE outcome IN ('failed', 'silent')))[1]
FROM provider_calls WHERE at >= now() - interval '25 hours' GROUP BY 1, 2;
