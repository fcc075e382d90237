-- A part of another account's charge is paid, as every PIX: only crypto is completed.
CREATE OR REPLACE FUNCTION settled_status(p_type transaction_type) RETURNS transaction_status LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_type IN ('crypto_in', 'crypto_out') THEN 'completed' ELSE 'paid' END::transaction_status
$$;
