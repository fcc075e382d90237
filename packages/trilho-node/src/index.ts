export * from './errors.ts';
export type {
  CryptoInEvent,
  CryptoOutEvent,
  DisputeEvent,
  ErrorCode,
  FieldError,
  PixInEvent,
  PixOutEvent,
  PixRefundEvent,
  PixReviewEvent,
  SplitInEvent,
  Warning,
  WebhookEvent,
  WebhookTestEvent,
} from './generated/api.ts';
export { type Page, Pages } from './pages.ts';
export type { AnswerInfo, OperationName, PostOptions, RequestOptions } from './request.ts';
export { Trilho, type TrilhoOptions } from './trilho.ts';
export type * from './types.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts';
export { VERSION } from './version.ts';
