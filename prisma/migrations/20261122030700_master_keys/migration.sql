-- CreateTable
CREATE TABLE "master_keys" (
    "version" TEXT NOT NULL,
    "check_value" BYTEA NOT NULL,
    "retired_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "master_keys_pkey" PRIMARY KEY ("version")
);
