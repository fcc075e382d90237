import { z } from 'zod';
import { API_KEY_STATES, KEY_NAME_LENGTH_MAX, OVERLAP_HOURS_MAX } from '#domain/api-keys/api-key-state.ts';
import { IP_RANGE_LENGTH_MAX, IP_RANGES_MAX, parseIpRange } from '#domain/api-keys/ip-allow-list.ts';
import { ALL_PERMISSIONS, forbiddenTogether, type Permission } from '#domain/api-keys/permissions.ts';
import { brlInput, brlOutput } from '../amounts.ts';
import { optional, reject } from '../codecs.ts';
import { instantOutput, nameInput, uuidInput } from '../fields.ts';
import { issue } from '../issues/issue-message.ts';

/** The panel's API keys. */

const permission = z.enum(ALL_PERMISSIONS);

export const apiKeyOutput = z.object({
  key_id: z.uuid(),
  name: z.string(),
  prefix: z.string(),
  last_four: z.string(),
  permissions: z.array(permission),
  allowed_ips: z.array(z.string()).describe('Addresses and ranges (CIDR); empty: it may come from anywhere.'),
  call_cap: brlOutput.nullable().describe('The most that an assistant may ask for in one call; null: nothing.'),
  day_cap: brlOutput.nullable().describe('The same of a São Paulo day.'),
  state: z.enum(API_KEY_STATES),
  created_at: instantOutput,
  last_used_at: instantOutput.nullable(),
  expires_at: instantOutput.nullable(),
  revoked_at: instantOutput.nullable(),
});

export type ApiKeyOutput = z.input<typeof apiKeyOutput>;

export const apiKeysOutput = z.object({
  keys: z.array(apiKeyOutput),
  grantable: z.array(permission).describe('What a key of this account can be allowed to do.'),
  working_keys_max: z.int(),
});

/** The issue names the range that is invalid, because a form has all of them in one input. */
const ipRangeInput = z.codec(z.string({ error: issue('not_text') }), z.string(), {
  decode(text, payload) {
    const range = text.length > IP_RANGE_LENGTH_MAX ? null : parseIpRange(text);
    return range ?? reject(payload, issue('not_ip_range', { range: text.slice(0, IP_RANGE_LENGTH_MAX) }));
  },
  encode: String,
});

/** Required of a key that may ask for withdrawals, and ignored for any other. In reais. */
const CAP_FIELDS = { call_cap: optional(brlInput), day_cap: optional(brlInput) };

export const createApiKeyInput = z
  .object({
    name: nameInput(KEY_NAME_LENGTH_MAX),
    permissions: z
      .array(permission)
      .min(1, { error: issue('no_permission') })
      .max(ALL_PERMISSIONS.length)
      .refine((chosen) => forbiddenTogether(chosen).length === 0, { error: issue('not_for_assistant') })
      .transform((chosen) => ALL_PERMISSIONS.filter((one) => chosen.includes(one))),
    allowed_ips: z
      .array(ipRangeInput)
      .max(IP_RANGES_MAX, { error: issue('too_many_ip_ranges', { max: IP_RANGES_MAX }) })
      .transform((ranges) => [...new Set(ranges)]),
    expires_at: z
      .codec(z.iso.datetime({ error: issue('not_instant') }), z.date(), {
        decode: (text) => new Date(text),
        encode: (at) => at.toISOString(),
      })
      .nullable(),
    ...CAP_FIELDS,
  })
  .check(checkCaps)
  .transform(({ call_cap: call, day_cap: day, ...fields }) => ({
    ...fields,
    caps: call !== null && day !== null && maySendMoney(fields) ? { callCentavos: call, dayCentavos: day } : null,
  }));

type CapInput = { permissions: readonly Permission[]; call_cap: bigint | null; day_cap: bigint | null };

const maySendMoney = ({ permissions }: Pick<CapInput, 'permissions'>) => permissions.includes('mcp:withdraw');

function checkCaps({ value, issues }: z.core.ParsePayload<CapInput>): void {
  if (!maySendMoney(value)) return;
  const { call_cap: call, day_cap: day } = value;
  const wrong = (field: 'call_cap' | 'day_cap', message: string) =>
    issues.push({ code: 'custom', message, path: [field], input: value[field] });
  if (call === null) wrong('call_cap', issue('cap_missing'));
  if (day === null) wrong('day_cap', issue('cap_missing'));
  if (call !== null && day !== null && day < call) wrong('day_cap', issue('day_cap_below_call_cap'));
}

export const rotateApiKeyInput = z.object({
  key_id: uuidInput,
  overlap_hours: z.int().min(0).max(OVERLAP_HOURS_MAX),
});

export const revokeApiKeyInput = z.object({ key_id: uuidInput });

/** `api_key` is the key itself: shown this once. */
export const createdApiKeyOutput = z.object({ key: apiKeyOutput, api_key: z.string() });
export const rotatedApiKeyOutput = createdApiKeyOutput.extend({ replaced: apiKeyOutput });
