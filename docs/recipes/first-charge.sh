#!/bin/sh
# A charge and its outcome, with nothing but curl.
set -eu

call() {
  curl --silent --show-error --fail-with-body --retry 3 -H "x-api-key: $TRILHO_API_KEY" "$@"
  echo
}

# Run it again, after a time-out for example: the key is the same, and so is the charge.
call "$TRILHO_URL/payments/transactions" \
  -H 'Content-Type: application/json' \
  -H 'Idempotency-Key: order-1042-1' \
  -d '{"amount": 150.75, "description": "Pedido 1042", "reference": "1042", "expiresIn": 1800}'

call "$TRILHO_URL/payments/transactions?reference=1042"
