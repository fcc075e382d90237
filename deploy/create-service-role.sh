#!/bin/sh
# Run once by the image of PostgreSQL, on an empty volume: the role of DATABASE_URL, which owns nothing.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$SERVICE_PASSWORD" <<'SQL'
CREATE ROLE trilho LOGIN PASSWORD :'password';
SQL
