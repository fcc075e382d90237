-- CreateTable
CREATE TABLE "sign_ups" (
    "id" UUID NOT NULL,
    "sealed" TEXT NOT NULL,
    "token_hash" BYTEA,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_ups_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "sealed" TEXT NOT NULL,
    "invited_by" UUID,
    "token_hash" BYTEA,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "sign_ups_token_hash_key" ON "sign_ups"("token_hash");

-- CreateIndex
CREATE INDEX "sign_ups_expires_at_idx" ON "sign_ups"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");

-- CreateIndex
CREATE INDEX "invitations_merchant_id_idx" ON "invitations"("merchant_id");

-- CreateIndex
CREATE INDEX "invitations_expires_at_idx" ON "invitations"("expires_at");

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchants"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A login whose address was never proved was chosen by nobody knows whom: it goes, with its password, sessions, second factors and
-- passkeys. From now on there is no member before his address is proved.
DELETE FROM members WHERE NOT email_verified;
ALTER TABLE members ADD CONSTRAINT members_have_proved_their_address CHECK (email_verified);
