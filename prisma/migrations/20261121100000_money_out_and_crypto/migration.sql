-- CreateEnum
CREATE TYPE "refund_status" AS ENUM ('pending', 'completed', 'failed');

-- AlterTable
ALTER TABLE "merchants" ADD COLUMN     "phone" TEXT;

-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "inactive_rails" "transaction_type"[] DEFAULT ARRAY[]::"transaction_type"[],
ADD COLUMN     "spread_bps" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "tolerance_bps" INTEGER NOT NULL DEFAULT 50;

-- AlterTable
ALTER TABLE "transactions" ADD COLUMN     "confirmations" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "confirmations_needed" INTEGER,
ADD COLUMN     "credited_centavos" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "credited_fee_centavos" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "currency" TEXT,
ADD COLUMN     "failure_code" TEXT,
ADD COLUMN     "fee_bps" INTEGER,
ADD COLUMN     "fee_fixed_centavos" BIGINT,
ADD COLUMN     "memo" TEXT,
ADD COLUMN     "payout_sent_at" TIMESTAMPTZ(3),
ADD COLUMN     "payout_step" TEXT,
ADD COLUMN     "pix_key" TEXT,
ADD COLUMN     "pix_key_type" TEXT,
ADD COLUMN     "provider_id" TEXT,
ADD COLUMN     "provider_url" TEXT,
ADD COLUMN     "quote_price" BIGINT,
ADD COLUMN     "quote_sources" JSONB,
ADD COLUMN     "quote_spread_bps" INTEGER,
ADD COLUMN     "quoted_at" TIMESTAMPTZ(3),
ADD COLUMN     "received_units" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "refunded_centavos" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "sub_status" TEXT,
ADD COLUMN     "tolerance_bps" INTEGER,
ADD COLUMN     "tx_hashes" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "units" BIGINT,
ADD COLUMN     "wallet" TEXT;

-- CreateTable
CREATE TABLE "credentials" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "credentials_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refunds" (
    "id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "centavos" BIGINT NOT NULL,
    "description" TEXT,
    "status" "refund_status" NOT NULL DEFAULT 'pending',
    "sent_at" TIMESTAMPTZ(3),
    "return_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "subject_id" UUID NOT NULL,
    "owner" BIGINT NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "credentials_account_id_idx" ON "credentials"("account_id");

-- CreateIndex
CREATE INDEX "refunds_transaction_id_idx" ON "refunds"("transaction_id");

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "transactions_rail_provider_id_key" ON "transactions"("rail", "provider_id");

-- AddForeignKey
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "transactions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
