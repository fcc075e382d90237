-- CreateTable
CREATE TABLE "received_webhooks" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "sealed" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "received_webhooks_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "received_webhooks_account_id_id_idx" ON "received_webhooks"("account_id", "id" DESC);

-- CreateIndex
CREATE INDEX "received_webhooks_received_at_idx" ON "received_webhooks"("received_at");

-- AddForeignKey
ALTER TABLE "received_webhooks" ADD CONSTRAINT "received_webhooks_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
